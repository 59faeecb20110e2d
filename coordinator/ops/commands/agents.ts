import type { Db } from 'mongodb'
import { z } from 'zod'
import { type AgentActivity, type AgentSpeed, createAgentActivity } from '../../fleet/activity.ts'
import { type AgentDocument, agentState, createAgentRegistry } from '../../fleet/agents.ts'
import { createIdentities, type EnrolledAgent } from '../../fleet/identities.ts'
import { AppError } from '../../http/errors.ts'
import { tasksOf } from '../../tasks/documents.ts'
import { createLeases } from '../../tasks/lease.ts'
import { runningTasks } from '../../tasks/overview.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { shownAs, switchOption } from '../options.ts'
import { facts, shortened, table } from '../table.ts'

const agentName = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _')
  .meta(shownAs('name', 'name of the agent'))

const enrolCommand = opsCommand({
  words: 'agents enrol',
  about: 'create a token for an agent; it is shown only once',
  argument: 'name',
  options: z.object({ name: agentName, env: switchOption("print the lines of the agent's environment file") }),
  async run({ databaseForWriting }, { name, env }) {
    const token = await createIdentities(await databaseForWriting()).enrol(name)
    return { data: { name, token }, text: env ? environmentFile(name, token) : facts({ name, AGENT_TOKEN: token }) }
  },
})

/** The settings of an agent for `--env-file`, systemd or Docker. Only the operator knows the two addresses. */
const environmentFile = (name: string, token: string): string =>
  [
    `AGENT_NAME=${name}`,
    `AGENT_TOKEN=${token}`,
    '# COORDINATOR_GRPC=host:50051',
    '# NATS_URL=nats://agents:password@host:4222',
  ].join('\n')

const listCommand = opsCommand({
  words: 'agents list',
  about: 'the enrolled agents and those of the last week, with state and speed',
  options: z.object({}),
  async run({ database }) {
    const data = await listed(await database())
    const heads = ['name', 'host', 'version', 'state', 'tasks', 'places/min', 'blocked', 'last seen']
    const rows = data.map(({ name, host = '', version = '', state, running, slots = 0, last_seen_at, ...speed }) => [
      shortened(name),
      shortened(host),
      shortened(version, 20),
      state,
      `${running} of ${slots}`,
      speed.places_per_minute,
      speed.block_rate === undefined ? '' : `${(speed.block_rate * 100).toFixed(1)} %`,
      last_seen_at,
    ])
    return { data, text: table(heads, rows, 'No agents.') }
  },
})

const drainCommand = orderCommand(
  'drain',
  'stop an enrolled agent from taking new tasks',
  'takes no new tasks',
  (db, name) => createIdentities(db).setDraining(name, true),
)

const resumeCommand = orderCommand('resume', 'let a drained agent take tasks again', 'takes tasks', (db, name) =>
  createIdentities(db).setDraining(name, false),
)

const revokeCommand = orderCommand(
  'revoke',
  'revoke the token of an enrolled agent for good, and hand its tasks to others',
  'is revoked',
  async (db, name) => {
    const revoked = await createIdentities(db).revoke(name)
    if (revoked) await createLeases(tasksOf(db)).giveBackOf(name)
    return revoked
  },
)

export const agentCommands: OpsCommand[] = [enrolCommand, listCommand, drainCommand, resumeCommand, revokeCommand]

function orderCommand(
  word: string,
  about: string,
  outcome: string,
  give: (db: Db, name: string) => Promise<boolean>,
): OpsCommand {
  return opsCommand({
    words: `agents ${word}`,
    about: `${about}; takes effect within 2 s`,
    argument: 'name',
    options: z.object({ name: agentName }),
    async run({ databaseForWriting }, { name }) {
      if (!(await give(await databaseForWriting(), name))) {
        const others = 'Stop an agent that shares AGENT_TOKEN with SIGTERM, or lock it out with a new AGENT_TOKEN.'
        throw new AppError('not_found', `No agent ${name} is enrolled. ${others}`)
      }
      return { data: { name, [word]: true }, text: `The agent ${name} ${outcome}.` }
    },
  })
}

type Listed = AgentSpeed & {
  id?: string
  name: string
  enrolled: boolean
  state: string
  running: number
} & Partial<Omit<AgentDocument, '_id' | 'name' | 'enrolled' | 'connected' | 'draining'>>

/** Lists every known process, and every enrolled agent without one. */
async function listed(db: Db): Promise<Listed[]> {
  const [agents, identities] = await Promise.all([createAgentRegistry(db).list(), createIdentities(db).list()])
  const [running, speeds] = await Promise.all([runningTasks(tasksOf(db)), createAgentActivity(db).speeds()])
  const enrolled = new Map(identities.map((identity) => [identity._id, identity]))
  const processes = agents.map((agent) => listedProcess(agent, enrolled.get(agent.name), running, speeds))
  const seen = new Set(agents.flatMap((agent) => (agent.enrolled ? agent.name : [])))
  const unseen = identities.filter(({ _id }) => !seen.has(_id))
  return [...processes, ...unseen.map(neverSeen)].sort((one, other) => one.name.localeCompare(other.name))
}

function listedProcess(
  { _id: id, connected, draining, ...agent }: AgentDocument,
  identity: EnrolledAgent | undefined,
  running: Map<string, number>,
  speeds: Awaited<ReturnType<AgentActivity['speeds']>>,
): Listed {
  const known = agent.enrolled ? identity : undefined
  const ordered = draining || known?.draining === true
  const state = agentState({ connected, draining: ordered, last_seen_at: agent.last_seen_at }, new Date())
  const { places_per_minute, block_rate } = speeds.get(id) ?? { places_per_minute: 0 }
  const speed = block_rate === undefined ? { places_per_minute } : { places_per_minute, block_rate }
  return { id, ...agent, state: known?.revoked_at ? 'revoked' : state, running: running.get(id) ?? 0, ...speed }
}

const neverSeen = ({ _id: name, revoked_at }: EnrolledAgent): Listed => ({
  name,
  enrolled: true,
  state: revoked_at ? 'revoked' : 'enrolled',
  running: 0,
  places_per_minute: 0,
})
