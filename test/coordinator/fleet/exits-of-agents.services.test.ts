import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { expect, test } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('the exits are those of connected agents that take tasks, each once', async () => {
  const agents = createAgentRegistry(db)
  const agent = { name: 'x', version: '1', protocol: 1, host: 'h', slots: 4, busy: 0, resting: [], drifted: [] }
  const record = (agent_id: string, exit: string, draining = false) =>
    agents.record(agent_id, { ...agent, agent_id, draining }, knownAgent(exit), 'r')
  await record('1', 'one')
  await record('2', 'one')
  await record('3', 'of a draining agent', true)
  await record('4', 'of an agent that left')
  await agents.disconnected('4', 'r')
  expect(await agents.exits()).toEqual(['exit of one'])
})
