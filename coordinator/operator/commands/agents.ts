import { shownAs, switchOption } from '@placefleet/shared/commands/command'
import { facts, harmless, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { createIdentities } from '../../fleet/identities.ts'
import { agentEnvironment } from '../agent-start.ts'
import { AGENT_COMMANDS, AgentName, COMMAND_TEXTS, commandAgent, listAgents } from '../agents.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const agentName = AgentName.meta(shownAs('name', 'name of the agent'))

const enrolCommand = opsCommand({
  words: 'agents enrol',
  about: 'create a token for an agent; it is shown only once',
  argument: 'name',
  options: z.object({ name: agentName, env: switchOption("print the lines of the agent's environment file") }),
  async run({ database }, { name, env }) {
    const token = await createIdentities(await database()).enrol(name)
    const environment = agentEnvironment({ name, token, coordinator: 'host:50051' }).trimEnd()
    return { data: { name, token }, text: env ? environment : facts({ name, AGENT_TOKEN: token }) }
  },
})

const listCommand = opsCommand({
  words: 'agents list',
  about: 'all enrolled agents and the agents of the last week, with state and speed',
  options: z.object({}),
  async run({ database }) {
    const data = await listAgents(await database())
    const heads = [
      'name',
      'host',
      'version',
      'state',
      'tasks',
      'handed back',
      'places/min',
      'blocked',
      'resting exits',
      'last seen',
    ]
    const rows = data.map(
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
    const problems = data.flatMap(({ name, chromium_problem }) =>
      chromium_problem ? [`${shortened(name)}: ${harmless(chromium_problem.message)}`] : [],
    )
    return { data, text: [table(heads, rows, 'No agents.'), ...problems].join('\n') }
  },
})

const operatorCommands = AGENT_COMMANDS.map((command) =>
  opsCommand({
    words: `agents ${command}`,
    about: `${COMMAND_TEXTS[command].summary.replace(/^./, (letter) => letter.toLowerCase())}; takes effect within 2 s`,
    argument: 'name',
    options: z.object({ name: agentName }),
    async run({ database }, { name }) {
      await commandAgent(await database(), name, command)
      return { data: { name, [command]: true }, text: `The agent ${name} ${COMMAND_TEXTS[command].done}.` }
    },
  }),
)

export const agentCommands: OpsCommand[] = [enrolCommand, listCommand, ...operatorCommands]
