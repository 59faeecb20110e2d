import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('the hosts are those of connected agents that take tasks, each once', async () => {
  const agents = createAgentRegistry(db)
  const agent = { name: 'x', version: '1', protocol: 1, slots: 4, busy: 0, draining: false, resting: [], drifted: [] }
  await agents.record('1', { ...agent, agent_id: '1', host: 'one' }, undefined, 'r')
  await agents.record('2', { ...agent, agent_id: '2', host: 'one' }, undefined, 'r')
  await agents.record('3', { ...agent, agent_id: '3', host: 'draining', draining: true }, undefined, 'r')
  await agents.record('4', { ...agent, agent_id: '4', host: 'gone' }, undefined, 'r')
  await agents.disconnected('4', 'r')
  expect(await agents.hosts()).toEqual(['one'])
  expect(await agents.hostOf('3')).toBe('draining')
  expect(await agents.hostOf('5')).toBeUndefined()
})
