import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createUnknownAnswers } from '@placefleet/coordinator/fleet/unknown-answers'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const kept = (nth: number, text = `answer ${nth}`) => ({
  id: nth.toString(16).padStart(16, '0'),
  path: '/maps',
  status: 200,
  text,
})

const DESCRIPTION = {
  name: 'home',
  version: '0.1.0',
  protocol: PROTOCOL,
  host: 'host-1',
  slots: 1,
  busy: 0,
  draining: false,
  resting: [],
  drifted: [],
}

test('the last fifty answers are kept, each once, with its last text and time', async () => {
  const { db } = await testDatabase()
  const answers = createUnknownAnswers(db)
  for (let nth = 0; nth < 60; nth += 5) {
    await answers.record(
      'home',
      [0, 1, 2, 3, 4].map((more) => kept(nth + more)),
    )
  }
  await answers.record('other', [kept(30, '$again')])
  const listed = await answers.list()
  expect(listed).toHaveLength(50)
  expect(listed[0]).toEqual({ ...kept(30, '$again'), agent: 'other', seen_at: expect.any(Date) })
  expect(listed.filter(({ id }) => id === kept(30).id)).toHaveLength(1)
  expect(listed.at(-1)).toMatchObject({ id: kept(10).id })
})

test('three unknown answers of a minute are kept of those who share a token and an address, however many they send', async () => {
  const world = await startWorld()
  const { grpc } = await addCoordinator(world)
  const coordinator = connectCoordinator(grpc, AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const describe = async (...answers: number[]) => {
    const stream = coordinator.register()
    const isRecorded = once(stream, 'data')
    stream.write({ ...DESCRIPTION, agent_id: randomUUID(), unknown_answers: answers.map((nth) => kept(nth)) })
    await isRecorded
  }

  await describe(1, 2, 3, 4, 5)
  await describe(6, 3)

  const listed = await createUnknownAnswers(world.db).list()
  expect(listed.map(({ id }) => id).toSorted()).toEqual([1, 2, 3].map((nth) => kept(nth).id))
})

test.each([
  ['a long text', { ...kept(1), text: 'x'.repeat(20_001) }],
  ['another id', { ...kept(1), id: '$x' }],
])('%s breaks the contract', async (_, answer) => {
  const { db } = await testDatabase()
  await expect(createUnknownAnswers(db).record('home', [answer])).rejects.toThrow('unknown answer')
  expect(await createUnknownAnswers(db).list()).toEqual([])
})

test('what the map site sends to an agent that nobody knows can be read by operators', async () => {
  const outside = await startOutsideWorld({ seed: 5, places: 200, options: { localBoq: 'garbage' } })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world)
  await addCollectingAgent(world, grpc, { MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http' })
  await client.create({ keywords: ['bakery'], max_results: 5, max_reviews: 30 })
  const [answer] = await until('the answer is kept', async () => {
    const listed = await createUnknownAnswers(world.db).list()
    return listed.length > 0 && listed
  })
  expect(answer).toMatchObject({ path: expect.stringMatching(/GetLocalBoqProxy$/), status: 200 })
  expect(answer?.text).toContain('moved')
})
