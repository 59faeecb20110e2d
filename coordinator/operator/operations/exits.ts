import { readFileSync } from 'node:fs'
import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { shortened, table } from '@placefleet/shared/commands/table'
import { PROXY_FORMS, Proxies } from '@placefleet/shared/proxy-url'
import { z } from 'zod'
import { removePooled } from '../../exits/pool.ts'
import { AppError } from '../../http/errors.ts'
import { readProxies } from '../../jobs/proxies.ts'
import { opsCommand } from '../commands/context.ts'
import { askForCheck, Exit, listExits, wakeExit } from '../exits.ts'
import { apiOperation, commandOnly, type Operation, operation } from '../operation.ts'

const EXAMPLE_PROXY = 'http://user:password@proxy.example.com:8080'

const ExitList = z.object({ exits: z.array(Exit) }).meta({
  id: 'ExitList',
  description: 'The addresses and proxies of the fleet, those that pause first.',
  examples: [{ exits: Exit.meta()?.examples ?? [] }],
})

const AddExitsRequest = z
  .strictObject({ proxies: Proxies.min(1).describe(PROXY_FORMS) })
  .meta({ id: 'AddExitsRequest', description: 'Proxies of the operator.', examples: [{ proxies: [EXAMPLE_PROXY] }] })

const AddedExits = z
  .object({ ids: z.array(z.string()).describe('their ids, in the order of the request') })
  .meta({ id: 'AddedExits', description: 'Added proxies.', examples: [{ ids: ['7f0c2a91d3b84e5566aa'] }] })

const ExitParams = z.object({ id: z.string().max(100).describe('the id of the address or proxy') })

const list = operation({
  name: 'listExits',
  method: 'GET',
  path: '/exits',
  topic: 'fleet',
  summary: 'List the addresses and proxies of the fleet: pace, pauses and answers of each',
  answer: ExitList,
  meaning: 'The addresses and proxies',
  run: async ({ db }) => ({ exits: await listExits(db) }),
  command: {
    words: 'exits list',
    about: 'proxies and own addresses of the agents: who shares them, pace, pauses and what the map site answers',
    options: z.object({}),
    input: () => ({}),
    json: ({ exits }) => exits,
    text: ({ exits }) => drawn(exits),
  },
})

function drawn(exits: Exit[]): string {
  const heads = ['address or proxy', 'kind', 'agents', 'requests/min', 'paused until', 'why', 'last answer', 'answers']
  const rows = exits.map((exit) => [
    shortened(exit.name ?? exit.id),
    exit.pooled ? 'pool' : exit.kind,
    shortened(exit.agents.join(', '), 60),
    exit.rate_per_minute > 0 ? exit.rate_per_minute : exit.last_verdict === undefined ? '' : 'no limit',
    exit.resting_until && new Date(exit.resting_until),
    exit.resting_reason ?? '',
    exit.last_verdict ?? '',
    Object.entries(exit.verdicts)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', '),
  ])
  return table(heads, rows, 'No addresses: no agent has connected.')
}

const add = operation({
  name: 'addExits',
  method: 'POST',
  path: '/exits',
  topic: 'fleet',
  summary: 'Add proxies to the pool, for jobs that bring none; those that are in it change nothing',
  body: AddExitsRequest,
  answer: AddedExits,
  meaning: 'The ids of the proxies',
  status: 201,
  errors: [409],
  async run({ proxyPool, allowHosts }, { proxies }) {
    return { ids: await proxyPool().add(readProxies(proxies, allowHosts())) }
  },
  command: {
    words: 'exits add',
    about: 'add the proxies in a file, one a line, to the pool for jobs that bring none; prints their ids',
    argument: 'file',
    options: z.object({ file: z.string().meta(shownAs('file', `a file with proxies: ${PROXY_FORMS}`)) }),
    input: ({ file }) => ({ proxies: linesOf(file) }),
    json: ({ ids }) => ids,
    text: ({ ids }) => ids.join('\n'),
  },
})

function linesOf(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`<file>: cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  }
  return text.split(/\r\n|\n|\r/)
}

const check = apiOperation({
  name: 'checkExit',
  method: 'POST',
  path: '/exits/:id/check',
  topic: 'fleet',
  summary: 'Let an agent check the paths to the map site through its own address; `check` in the list has the result',
  params: ExitParams,
  meaning: 'An agent begins within ten seconds',
  errors: [409],
  run: ({ db }, { id }) => askForCheck(db, id),
})

const wake = operation({
  name: 'wakeExit',
  method: 'POST',
  path: '/exits/:id/wake',
  topic: 'fleet',
  summary: 'End the pause of an address or proxy, such as after a change of its address; one request goes first',
  params: ExitParams,
  meaning: 'Its agents know within two seconds',
  async run({ db }, { id }) {
    await wakeExit(db, id)
    return { id }
  },
  command: {
    words: 'exits wake',
    about: 'end the pause of an address or proxy, such as after it has changed; one request goes first',
    argument: 'exit',
    options: z.object({
      exit: z.string().meta(shownAs('exit', 'an address or proxy of `exits list`: its name or its id')),
    }),
    async input({ exit }, { db }) {
      const named = (await listExits(db)).find(({ name }) => name === exit)
      return { id: named?.id ?? exit }
    },
    text: (_, { exit }) => `${exit} is not paused any more. Its agents know within two seconds.`,
  },
})

const remove = apiOperation({
  name: 'removeExit',
  method: 'DELETE',
  path: '/exits/:id',
  topic: 'fleet',
  summary: 'Take a proxy out of the pool',
  params: ExitParams,
  meaning: 'New tasks do not get it',
  async run({ db }, { id }) {
    if ((await removePooled(db, [id])) === 0) throw new AppError('not_found', 'The pool has no such proxy.')
  },
})

const removeMany = commandOnly(
  opsCommand({
    words: 'exits remove',
    about: 'take proxies out of the pool; running tasks keep theirs',
    argument: 'ids',
    options: z.object({ ids: z.array(z.string()).min(1).meta(shownAs('id', 'ids of `exits list`')) }),
    async run({ database }, { ids }) {
      const removed = await removePooled(await database(), ids)
      if (removed === 0) throw new AppError('not_found', 'The pool has none of these proxies.')
      return { data: { removed }, text: `Proxies removed: ${removed}.` }
    },
  }),
)

export const exitOperations: Operation[] = [list, add, check, remove, removeMany, wake]
