import { randomUUID } from 'node:crypto'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const agents = createAgentRegistry(db)

const description = (agent_id: string, busy: number) => ({
  agent_id,
  name: 'a',
  version: '1',
  protocol: 1,
  host: 'h',
  slots: 4,
  busy,
  draining: false,
  resting: [],
  drifted: [],
})

const busyOf = async () => Object.fromEntries((await agents.list()).map(({ _id, busy }) => [_id, busy]))

test('an invalid later description is refused and changes nothing', async () => {
  const id = randomUUID()
  await agents.record(id, description(id, 1), knownAgent(), 'r')
  await expect(agents.record(id, description(id, -1), knownAgent())).rejects.toThrow('invalid agent description')
  expect(await busyOf()).toMatchObject({ [id]: 1 })
})

test('why an agent cannot start Chromium is kept until it can', async () => {
  const id = randomUUID()
  const problem = { cause: 'library', message: 'Chromium cannot start: the library libnss3.so is missing.' } as const
  const problemOf = async () => (await agents.list()).find(({ _id }) => _id === id)?.chromium_problem
  await agents.record(id, { ...description(id, 0), chromium_problem: problem }, knownAgent(), 'r')
  expect(await problemOf()).toEqual(problem)
  await agents.record(id, description(id, 0), knownAgent())
  expect(await problemOf()).toBeUndefined()
})

test('a description whose command fails is not reported as recorded', async () => {
  const away = new MongoClient(inject('mongoUrl'))
  const registry = createAgentRegistry((await away.connect()).db('away'))
  const id = randomUUID()
  const recorded = registry.record(id, description(id, 1), knownAgent())
  await away.close()
  await expect(recorded).rejects.toThrow()
})

test('the late end of an older registration does not hide an agent that registered again', async () => {
  const id = randomUUID()
  await agents.record(id, description(id, 0), knownAgent(), 'older')
  await agents.record(id, description(id, 0), knownAgent(), 'newer')
  const isConnected = async () => (await agents.list()).find(({ _id }) => _id === id)?.connected

  await agents.disconnected(id, 'older')
  expect(await isConnected()).toBe(true)

  await agents.disconnected(id, 'newer')
  expect(await isConnected()).toBe(false)
})

test('the tasks that an agent handed back are counted, also when it describes itself again', async () => {
  const id = randomUUID()
  await agents.record(id, description(id, 0), knownAgent(), 'r')
  await agents.handedBack(id)
  await agents.handedBack(id)
  await agents.record(id, description(id, 0), knownAgent())

  expect((await agents.list()).find(({ _id }) => _id === id)).toMatchObject({ handed_back: 2 })
})
