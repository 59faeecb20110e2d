import { shownAs, switchOption } from '@placefleet/shared/commands/command'
import { facts, harmless, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { createIdentities } from '../../fleet/identities.ts'
import { AGENT_COMMANDS, Agent, AgentName, COMMAND_TEXTS, commandAgent, listAgents } from '../agents.ts'
import { type Operation, operation } from '../operation.ts'

const agentName = AgentName.meta(shownAs('name', 'name of the agent'))

/** An enrolled agent, and the address of the coordinators as agents see it: `host:port`. */
type AgentStart = { name: string; token: string; coordinator: string }

/**
 * Returns the settings of an agent, a line each, for `--env-file`, systemd or Docker. The operator adds the address of
 * NATS: a coordinator knows only the password of its own user there.
 */
const agentEnvironment = ({ name, token, coordinator }: AgentStart): string =>
  [
    `AGENT_NAME=${name}`,
    `AGENT_TOKEN=${token}`,
    `COORDINATOR_GRPC=${coordinator}`,
    '# The address of NATS, with its user for agents:',
    '# NATS_URL=nats://agents:password@host:4222',
    '',
  ].join('\n')

/**
 * Returns the command that starts an agent in Docker. It reads the settings from the file `NAME.env`, because other
 * users of a machine see the arguments of its commands. Run it in the root of the checkout, because of the profile.
 */
const agentCommand = ({ name }: Pick<AgentStart, 'name'>): string =>
  [
    `docker run -d --name placefleet-${name} --restart unless-stopped --env-file ${name}.env`,
    '--read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp --shm-size 512m',
    '--security-opt seccomp=deploy/images/seccomp-chromium.json placefleet/agent',
  ].join(' ')

function presentEnrolled(start: AgentStart) {
  const { name, token } = start
  const checkout_command = `npm run agent -- --env-file ${name}.env`
  return { name, token, environment: agentEnvironment(start), command: agentCommand(start), checkout_command }
}

const AgentList = z
  .object({ agents: z.array(Agent) })
  .meta({ id: 'AgentList', description: 'The fleet, by name.', examples: [{ agents: Agent.meta()?.examples ?? [] }] })

const name = AgentName.describe('the name of the agent')
const EnrolAgentRequest = z
  .strictObject({ name })
  .meta({ id: 'EnrolAgentRequest', description: 'The agent to enrol.', examples: [{ name: 'home' }] })

const EXAMPLE_TOKEN = 'agt_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz'

const EnrolledAgent = z
  .object({
    name: z.string(),
    token: z.string().describe('its AGENT_TOKEN, shown only once'),
    environment: z
      .string()
      .describe('the settings of the agent, a line each: save them as `NAME.env`, and add the address of NATS'),
    command: z.string().describe('starts the agent in Docker with the settings in `NAME.env`'),
    checkout_command: z.string().describe('starts the agent from a checkout with the same file'),
  })
  .meta({
    id: 'EnrolledAgent',
    description: 'An agent with its own token.',
    examples: [presentEnrolled({ name: 'home', token: EXAMPLE_TOKEN, coordinator: 'fleet.example:50051' })],
  })

const enrol = operation({
  name: 'enrolAgent',
  method: 'POST',
  path: '/agents',
  topic: 'fleet',
  summary: 'Enrol an agent and create its token',
  body: EnrolAgentRequest,
  answer: EnrolledAgent,
  meaning: 'The agent and its token',
  status: 201,
  errors: [409],
  async run({ db, coordinator }, { name }) {
    return presentEnrolled({ name, token: await createIdentities(db).enrol(name), coordinator })
  },
  command: {
    words: 'agents enrol',
    about: 'create a token for an agent; it is shown only once',
    argument: 'name',
    options: z.object({ name: agentName, env: switchOption("print the lines of the agent's environment file") }),
    input: ({ name }) => ({ name }),
    json: ({ name, token }) => ({ name, token }),
    text: ({ name, token, environment }, { env }) =>
      env ? environment.trimEnd() : facts({ name, AGENT_TOKEN: token }),
  },
})

const list = operation({
  name: 'listAgents',
  method: 'GET',
  path: '/agents',
  topic: 'fleet',
  summary: 'List the agents of the last week and all enrolled agents',
  answer: AgentList,
  meaning: 'The fleet',
  run: async ({ db }) => ({ agents: await listAgents(db) }),
  command: {
    words: 'agents list',
    about: 'all enrolled agents and the agents of the last week, with state and speed',
    options: z.object({}),
    input: () => ({}),
    json: ({ agents }) => agents,
    text: ({ agents }) => drawn(agents),
  },
})

function drawn(agents: Agent[]): string {
  const heads = [
    'name',
    'host',
    'version',
    'state',
    'tasks',
    'handed back',
    'places/min',
    'blocked',
    'paused addresses',
    'last seen',
  ]
  const rows = agents.map(
    ({
      name,
      host = '',
      version = '',
      state,
      running,
      slots = 0,
      handed_back = 0,
      resting = [],
      last_seen_at,
      ...speed
    }) => [
      shortened(name),
      shortened(host),
      shortened(version, 20),
      state,
      `${running} of ${slots}`,
      handed_back,
      speed.places_per_minute,
      speed.block_rate === undefined ? '' : `${(speed.block_rate * 100).toFixed(1)} %`,
      resting.map(({ reason, count }) => `${count} ${reason}`).join(', '),
      last_seen_at && new Date(last_seen_at),
    ],
  )
  const problems = agents.flatMap(({ name, chromium_problem }) =>
    chromium_problem ? [`${shortened(name)}: ${harmless(chromium_problem.message)}`] : [],
  )
  return [table(heads, rows, 'No agents.'), ...problems].join('\n')
}

const commands = AGENT_COMMANDS.map((command) =>
  operation({
    name: `${command}Agent`,
    method: 'POST',
    path: `/agents/:name/${command}`,
    topic: 'fleet',
    summary: COMMAND_TEXTS[command].summary,
    params: z.object({ name: AgentName.describe('the name of the agent') }),
    meaning: 'Takes effect within 2 s',
    run: ({ db }, { name }) => commandAgent(db, name, command),
    command: {
      words: `agents ${command}`,
      about: `${COMMAND_TEXTS[command].summary.replace(/^./, (letter) => letter.toLowerCase())}; takes effect within 2 s`,
      argument: 'name',
      options: z.object({ name: agentName }),
      input: (options) => options,
      json: (_, { name }) => ({ name, [command]: true }),
      text: (_, { name }) => `The agent ${name} ${COMMAND_TEXTS[command].done}.`,
    },
  }),
)

export const agentOperations: Operation[] = [enrol, list, ...commands]
