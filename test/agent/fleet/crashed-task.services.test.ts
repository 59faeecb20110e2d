import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

test('a bug of the agent is not blamed on the map site', async () => {
  const world = await startWorld()
  world.expectError('a task failed unexpectedly')
  const { grpc, client } = await addCoordinator(world)
  const collector = scriptedCollector({ find: () => [] })
  await addAgent(world, grpc, { ...collector, collect: () => Promise.reject(new TypeError('a bug')) })
  const job = await client.ended(await client.create({ keywords: ['bakery'] }), 60_000)
  expect(job).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/^agent_crashed: /) })
}, 120_000)
