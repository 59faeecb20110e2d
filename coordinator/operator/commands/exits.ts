import { readFileSync } from 'node:fs'
import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { shortened, table } from '@placefleet/shared/commands/table'
import { readEnv } from '@placefleet/shared/config'
import { PROXY_FORMS } from '@placefleet/shared/proxy-url'
import { z } from 'zod'
import { COORDINATOR_SETTINGS } from '../../config.ts'
import { createExitIds } from '../../exits/exit-id.ts'
import { createProxyPool, removePooled } from '../../exits/pool.ts'
import { AppError } from '../../http/errors.ts'
import { readProxies } from '../../jobs/proxies.ts'
import { createSecretBox } from '../../secrets/secret-box.ts'
import { listExits, wakeExit } from '../exits.ts'
import { secretsKeyOf } from './addresses.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const listCommand = opsCommand({
  words: 'exits list',
  about: 'proxies and own addresses of the agents: who shares them, pace, rests and what the map site answers',
  options: z.object({}),
  async run({ database }) {
    const data = await listExits(await database())
    const heads = ['exit', 'kind', 'agents', 'requests/min', 'rests until', 'why', 'last verdict', 'verdicts']
    const rows = data.map((exit) => [
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
    return { data, text: table(heads, rows, 'No exits: no agent has connected.') }
  },
})

const addCommand = opsCommand({
  words: 'exits add',
  about: 'add the proxies in a file, one a line, to the pool for jobs that bring none; prints their ids',
  argument: 'file',
  options: z.object({ file: z.string().meta(shownAs('file', `a file with proxies: ${PROXY_FORMS}`)) }),
  async run({ database, env }, { file }) {
    const { EGRESS_ALLOW_HOSTS } = readEnv({ EGRESS_ALLOW_HOSTS: COORDINATOR_SETTINGS.EGRESS_ALLOW_HOSTS }, env)
    const urls = readProxies(linesOf(file), EGRESS_ALLOW_HOSTS)
    const key = secretsKeyOf(env)
    const pool = createProxyPool(await database(), { secrets: createSecretBox(key), exitIds: createExitIds(key) })
    const data = await pool.add(urls)
    return { data, text: data.join('\n') }
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

const removeCommand = opsCommand({
  words: 'exits remove',
  about: 'take proxies out of the pool; running tasks keep theirs',
  argument: 'ids',
  options: z.object({ ids: z.array(z.string()).min(1).meta(shownAs('id', 'ids of `exits list`')) }),
  async run({ database }, { ids }) {
    const removed = await removePooled(await database(), ids)
    if (removed === 0) throw new AppError('not_found', 'The pool has none of these proxies.')
    return { data: { removed }, text: `Proxies removed: ${removed}.` }
  },
})

const wakeCommand = opsCommand({
  words: 'exits wake',
  about: 'end the rest of an exit, such as after a change of its address; one request goes first',
  argument: 'exit',
  options: z.object({ exit: z.string().meta(shownAs('exit', 'an exit of `exits list`: its name or its id')) }),
  async run({ database }, { exit }) {
    const db = await database()
    const named = (await listExits(db)).find(({ name }) => name === exit)
    const id = named?.id ?? exit
    await wakeExit(db, id)
    return { data: { id }, text: `${exit} does not rest any more. Its agents know within two seconds.` }
  },
})

export const exitCommands: OpsCommand[] = [listCommand, addCommand, removeCommand, wakeCommand]
