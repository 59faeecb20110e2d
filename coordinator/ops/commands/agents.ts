import { z } from 'zod'
import { agentState } from '../../fleet/agent-state.ts'
import { createAgentRegistry } from '../../fleet/agents.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { shortened, table } from '../table.ts'

const listCommand = opsCommand({
  words: 'agents list',
  about: 'the agents of the last week: who is there, what they do',
  options: z.object({}),
  async run({ database }) {
    const agents = await createAgentRegistry(await database()).list()
    const now = new Date()
    const data = agents.map(({ _id: id, connected: _known, draining: _shown, ...agent }) => ({ id, ...agent }))
    const states = agents.map((agent) => agentState(agent, now))
    const rows = agents.map(({ name, host, version, busy, slots, last_seen_at }, index) => [
      shortened(name),
      shortened(host),
      shortened(version, 20),
      states[index],
      `${busy} of ${slots}`,
      last_seen_at,
    ])
    return {
      data: data.map((agent, index) => ({ ...agent, state: states[index] })),
      text: table(['name', 'host', 'version', 'state', 'busy', 'last seen'], rows, 'No agent was ever here.'),
    }
  },
})

export const agentCommands: OpsCommand[] = [listCommand]
