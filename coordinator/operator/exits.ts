import { REST_REASONS, restAt } from '@placefleet/shared/exits/rules'
import { PathReport } from '@placefleet/shared/path-report'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { ratePerMinute, usersAt } from '../exits/decide.ts'
import type { ExitDocument } from '../exits/documents.ts'
import { pooledExits } from '../exits/pool.ts'
import { createExitStore } from '../exits/store.ts'
import { type AgentExit, EXIT_KNOWN_BY } from '../fleet/agent-exit.ts'
import { createAgentRegistry } from '../fleet/agents.ts'
import { createPathChecks, type PathCheck } from '../fleet/path-checks.ts'
import { AppError } from '../http/errors.ts'
import { databaseTime } from '../mongo/time.ts'
import { endRefusals } from '../tasks/snooze.ts'

/** An exit, as operators see it. */
export const Exit = z
  .object({
    id: z.string().describe('says nothing about the URL of a proxy'),
    kind: z.enum(['direct', 'proxy']).describe('`direct`: the own address of agents'),
    pooled: z
      .boolean()
      .optional()
      .describe('true for a proxy of the pool, which jobs without proxies use; absent for others'),
    name: z.string().optional().describe('of an own address: the address, or the EXIT_NAME of its agents'),
    known_by: z
      .enum(EXIT_KNOWN_BY)
      .optional()
      .describe('of an own address with agents: by what they share it; see `exit` of an agent'),
    agents: z
      .array(z.string())
      .describe(
        'the names of the agents that share it: the connected ones, and those that used a proxy in the last ten minutes',
      ),
    rate_per_minute: z
      .number()
      .describe('requests of all its agents; 0: no limit, as for simulated sites, or not used yet'),
    resting_until: z.iso
      .datetime()
      .optional()
      .describe('until when it pauses and sends nothing; absent while it does not pause'),
    resting_reason: z
      .enum(REST_REASONS)
      .optional()
      .describe(
        'why it pauses. `blocked`: the map site refused it; `consent`: the site shows only its consent form; `failed`: the proxy does not work; `unknown`: the site sends answers that nobody knows',
      ),
    verdicts: z.record(z.string(), z.int()).describe('what the answers of the last day were, with how many of each'),
    last_verdict: z.string().optional().describe('what the last answer was; absent before the first request'),
    check: z
      .object({
        asked_at: z.iso.datetime(),
        report: PathReport.optional().describe('absent until an agent has made it'),
      })
      .optional()
      .describe('the last check of the paths to the map site that an operator asked for'),
  })
  .meta({
    id: 'Exit',
    description: 'An address from which agents send requests to the map site: a proxy, or their own.',
    examples: [
      {
        id: '7f0c2a91d3b84e5566aa',
        kind: 'direct',
        name: 'private network',
        known_by: 'network',
        agents: ['attic', 'home'],
        rate_per_minute: 24.7,
        resting_until: '2026-03-01T12:30:00.000Z',
        resting_reason: 'blocked',
        verdicts: { whole: 812, trimmed: 9, exit_refused: 1 },
        last_verdict: 'exit_refused',
      },
    ],
  })
export type Exit = z.infer<typeof Exit>

/**
 * Lists the own exits of the connected agents, the proxies of the pool, and the exits that were used in the last week.
 * Resting ones come first.
 */
export async function listExits(db: Db): Promise<Exit[]> {
  const registry = createAgentRegistry(db)
  const [documents, agents, now, inPool, checks] = await Promise.all([
    createExitStore(db).list(),
    registry.connected(),
    databaseTime(db),
    pooledExits(db),
    createPathChecks(db).list(),
  ])
  const pool = new Set(inPool)
  const byExit = Map.groupBy(agents, ({ exit }) => exit.id)
  const names = await registry.namesOf(documents.flatMap((exit) => usersAt(exit, now)))
  const used = documents.map((document) => {
    const own = byExit.get(document._id) ?? []
    const users = document.kind === 'proxy' ? usersAt(document, now).flatMap((id) => names.get(id) ?? []) : []
    return {
      ...present(document, now),
      ...(pool.has(document._id) && { pooled: true }),
      ...about(own[0]?.exit),
      agents: unique([...users, ...own.map(({ name }) => name)]),
    }
  })
  const known = new Set(documents.map(({ _id }) => _id))
  const unused = [...byExit.values()].flatMap(([first, ...others]): Exit[] => {
    if (!first || known.has(first.exit.id)) return []
    const { id, kind } = first.exit
    const names = unique([first, ...others].map(({ name }) => name))
    return [{ id, kind, ...about(first.exit), agents: names, rate_per_minute: 0, verdicts: {} }]
  })
  const idle = inPool.flatMap((id): Exit[] =>
    known.has(id) ? [] : [{ id, kind: 'proxy', pooled: true, agents: [], rate_per_minute: 0, verdicts: {} }],
  )
  const checkOf = new Map(checks.map((check) => [check._id, check]))
  const checked = [...used, ...unused, ...idle].map((exit) => ({ ...exit, ...shownCheck(checkOf.get(exit.id)) }))
  return checked.sort(restingFirst)
}

const shownCheck = (check: PathCheck | undefined): Pick<Exit, 'check'> =>
  check ? { check: { asked_at: check.asked_at.toISOString(), ...(check.report && { report: check.report }) } } : {}

/**
 * Asks an agent of an exit to check the paths to the map site. One that is connected begins within ten seconds.
 * @throws AppError `not_found` for an unknown exit, `conflict` when no connected agent has it as its own.
 */
export async function askForCheck(db: Db, id: string): Promise<void> {
  const agents = await createAgentRegistry(db).connected()
  if (agents.some((agent) => agent.exit.id === id)) {
    return createPathChecks(db).ask(id)
  }
  const known = (await listExits(db)).some((exit) => exit.id === id)
  if (!known) throw new AppError('not_found', 'There is no such address or proxy.')
  throw new AppError(
    'conflict',
    'No connected agent has this as its own address. A proxy is checked by `npm run doctor:maps -- --proxy URL` on the host of an agent.',
  )
}

/**
 * Ends the rest of an exit, and lets the tasks go on that waited for it. Its agents know within two seconds. One
 * request goes first; when the site refuses that one, the exit rests again.
 * @throws AppError `not_found` for an unknown exit.
 */
export async function wakeExit(db: Db, id: string): Promise<void> {
  const exits = createExitStore(db)
  const exit = (await exits.read([id])).exits.get(id)
  if (!exit) {
    const isUnused = (await listExits(db)).some((listed) => listed.id === id)
    if (isUnused) return
    throw new AppError('not_found', 'There is no such address or proxy.')
  }
  await exits.wake(id)
  // No task says which of its proxies rested. One that is tried too early waits again, without a request.
  await endRefusals(db, exit.kind === 'proxy' ? undefined : id)
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort()

const about = (exit: AgentExit | undefined) => exit && { name: exit.name, known_by: exit.by }

function present(
  { _id: id, kind, name, state, verdicts, last_verdict }: ExitDocument,
  now: Date,
): Omit<Exit, 'agents'> {
  const rest = restAt(state, now.getTime())
  return {
    id,
    kind,
    ...(name !== undefined && { name }),
    rate_per_minute: ratePerMinute(state),
    ...(rest && { resting_until: new Date(rest.until).toISOString(), resting_reason: rest.reason }),
    verdicts,
    ...(last_verdict !== undefined && { last_verdict }),
  }
}

function restingFirst(one: Exit, other: Exit): number {
  const order = (exit: Exit) => [exit.resting_until === undefined ? 1 : 0, exit.kind, exit.name ?? exit.id].join(' ')
  return order(one).localeCompare(order(other))
}
