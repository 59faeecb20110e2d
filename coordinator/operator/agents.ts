import { ReportedChromiumProblem } from '@placefleet/shared/chromium-problem'
import { REST_REASONS } from '@placefleet/shared/exits/rules'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { createExitStore } from '../exits/store.ts'
import { type AgentActivity, createAgentActivity } from '../fleet/activity.ts'
import { EXIT_KNOWN_BY } from '../fleet/agent-exit.ts'
import { type AgentDocument, agentState, createAgentRegistry } from '../fleet/agents.ts'
import { createIdentities, type EnrolledAgent } from '../fleet/identities.ts'
import { AppError } from '../http/errors.ts'
import { databaseTime } from '../mongo/time.ts'
import { createLeases } from '../tasks/lease.ts'
import { runningTasks } from '../tasks/overview.ts'
import { wakeExit } from './exits.ts'

/** A valid name of an agent. */
export const AgentName = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _')

const OwnExit = z.object({
  id: z.string().describe('as in `GET /api/v1/admin/exits`'),
  name: z.string(),
  by: z
    .enum(EXIT_KNOWN_BY)
    .describe(
      'how it is known. `name`: the EXIT_NAME of the agent; `address`: where the coordinator sees it; `forwarded`: the address that a trusted proxy names; `network`: the coordinator sees a private address, and all such agents count as one address',
    ),
})

/** An agent process, or an enrolled agent that has never connected. */
export const Agent = z
  .object({
    id: z.string().optional().describe('id of the process; absent for an enrolled agent that has never connected'),
    name: z.string(),
    enrolled: z.boolean().describe('whether it has its own token and obeys commands'),
    state: z
      .enum(['connected', 'draining', 'silent', 'gone', 'enrolled', 'revoked'])
      .describe('`silent`: connected, but it sends no heartbeat; `enrolled`: never connected'),
    running: z.int().describe('tasks that the agent runs'),
    places_per_minute: z.number().describe('average of the last five minutes'),
    block_rate: z
      .number()
      .optional()
      .describe('the share of places and pages that the map site refused in the last five minutes'),
    host: z.string().optional(),
    exit: OwnExit.optional().describe(
      'where the requests of jobs without proxies leave; agents with the same address share its pace and pauses',
    ),
    version: z.string().optional(),
    protocol: z.int().optional(),
    slots: z.int().optional().describe('tasks that it can run at once'),
    busy: z.int().optional().describe('slots in use, as last reported'),
    handed_back: z
      .int()
      .optional()
      .describe('tasks that it handed back; many of them without a restart are suspicious'),
    resting: z
      .array(z.object({ reason: z.enum(REST_REASONS), count: z.int() }))
      .optional()
      .describe('the own address and proxies that pause now, by reason'),
    drifted: z
      .array(z.string())
      .optional()
      .describe('payload paths of the map site that had too little data in its last hundred places'),
    chromium_problem: ReportedChromiumProblem.optional().describe(
      'why the agent cannot start Chromium; absent while it can, or never needs it',
    ),
    first_seen_at: z.iso.datetime().optional(),
    last_seen_at: z.iso.datetime().optional(),
  })
  .meta({
    id: 'Agent',
    description: 'A member of the fleet.',
    examples: [
      {
        id: 'home/6f9619ff',
        name: 'home',
        enrolled: true,
        state: 'connected',
        running: 3,
        places_per_minute: 118.4,
        block_rate: 0.01,
        host: 'raspberry',
        exit: { id: '7f0c2a91d3b84e5566aa', name: 'home', by: 'name' },
        version: '0.1.0',
        protocol: 1,
        slots: 4,
        busy: 3,
        first_seen_at: '2026-03-01T12:00:00.000Z',
        last_seen_at: '2026-03-01T12:30:00.000Z',
      },
    ],
  })
export type Agent = z.infer<typeof Agent>

/** The commands that an operator can give to an enrolled agent. They take effect within 2 s. */
export const AGENT_COMMANDS = ['drain', 'resume', 'revoke'] as const
type OperatorCommand = (typeof AGENT_COMMANDS)[number]

export const COMMAND_TEXTS: Record<OperatorCommand, { summary: string; done: string }> = {
  drain: { summary: 'Stop an enrolled agent from taking new tasks', done: 'takes no new tasks' },
  resume: { summary: 'Let a drained agent take tasks again', done: 'takes tasks' },
  revoke: {
    summary: 'Revoke the token of an enrolled agent, and give its tasks to other agents',
    done: 'is revoked',
  },
}

/**
 * Gives a command to an enrolled agent. The rests that a revoked one reported end, because nobody trusts its word.
 * @throws AppError `not_found` when no such agent is enrolled.
 */
export async function commandAgent(db: Db, name: string, command: OperatorCommand): Promise<void> {
  const identities = createIdentities(db)
  const known =
    command === 'revoke' ? await identities.revoke(name) : await identities.setDraining(name, command === 'drain')
  if (!known) {
    const others =
      'An agent that uses the shared AGENT_TOKEN is stopped with SIGTERM, or shut out by a new AGENT_TOKEN.'
    throw new AppError('not_found', `No agent ${name} is enrolled. ${others}`)
  }
  if (command !== 'revoke') return
  await createLeases(db).giveBackOf(name)
  for (const exit_id of await createExitStore(db).restedBy(name)) await wakeExit(db, exit_id)
}

/**
 * Lists the agents of the last week and the enrolled agents, by name: the connected processes of each name, otherwise its
 * last process.
 */
export async function listAgents(db: Db): Promise<Agent[]> {
  const [recorded, identities] = await Promise.all([createAgentRegistry(db).list(), createIdentities(db).list()])
  const [running, speeds] = await Promise.all([runningTasks(db), createAgentActivity(db).speeds()])
  const now = await databaseTime(db)
  const enrolled = new Map(identities.map((identity) => [identity._id, identity]))
  const agents = currentProcesses(recorded, enrolled)
  const processes = agents.map((agent) => present(agent, enrolled.get(agent.name), { running, speeds, now }))
  const seen = new Set(agents.flatMap((agent) => (agent.enrolled ? agent.name : [])))
  const unseen = identities.filter(({ _id }) => !seen.has(_id))
  return [...processes, ...unseen.map(neverSeen)].sort((one, other) => one.name.localeCompare(other.name))
}

/** Leaves out the processes that another one of the same name replaced, or that ended before the name was enrolled again. */
function currentProcesses(agents: AgentDocument[], identities: ReadonlyMap<string, EnrolledAgent>): AgentDocument[] {
  const current = agents.filter(({ connected, enrolled, name, last_seen_at }) => {
    const enrolledAt = enrolled ? identities.get(name)?.enrolled_at : undefined
    return connected || enrolledAt === undefined || last_seen_at >= enrolledAt
  })
  const byName = Map.groupBy(current, ({ enrolled, name }) => `${enrolled} ${name}`)
  return [...byName.values()].flatMap((processes) => {
    const connected = processes.filter((agent) => agent.connected)
    const newestFirst = processes.toSorted((one, other) => other.last_seen_at.getTime() - one.last_seen_at.getTime())
    return connected.length > 0 ? connected : newestFirst.slice(0, 1)
  })
}

/** What the agents do at a time, by the database's clock. */
type Work = { running: Map<string, number>; speeds: Awaited<ReturnType<AgentActivity['speeds']>>; now: Date }

function present(
  { _id: id, connected, draining, chromium_problem, exit, ...agent }: AgentDocument,
  identity: EnrolledAgent | undefined,
  { running, speeds, now }: Work,
): Agent {
  const known = agent.enrolled ? identity : undefined
  const isDraining = draining || known?.draining === true
  const state = agentState({ connected, draining: isDraining, last_seen_at: agent.last_seen_at }, now)
  return {
    id,
    ...agent,
    exit: { id: exit.id, name: exit.name, by: exit.by },
    // Of an agent that is gone it would only be in the way.
    ...(chromium_problem && connected && { chromium_problem }),
    state: known?.revoked_at ? 'revoked' : state,
    running: running.get(id) ?? 0,
    ...(speeds.get(id) ?? { places_per_minute: 0 }),
    first_seen_at: agent.first_seen_at.toISOString(),
    last_seen_at: agent.last_seen_at.toISOString(),
  }
}

const neverSeen = ({ _id: name, revoked_at }: EnrolledAgent): Agent => ({
  name,
  enrolled: true,
  state: revoked_at ? 'revoked' : 'enrolled',
  running: 0,
  places_per_minute: 0,
})
