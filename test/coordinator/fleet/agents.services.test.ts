import { randomUUID } from 'node:crypto'
import { createAgentRegistry, MOST_OF_NAME, MOST_SHARED } from '@placefleet/coordinator/fleet/agents'
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

/** Records so many processes of a name that are gone, the first of them for the longest time. */
async function recordGone(count: number, name: string, enrolled: boolean, at: (nth: number) => Date) {
  const { exit } = knownAgent()
  const { agent_id: _, ...described } = { ...description('', 0), name }
  const entry = { ...described, enrolled, exit, connected: false, registration: 'r' }
  const documents = Array.from({ length: count }, (_, nth) => {
    return { ...entry, _id: `${name} ${nth}`, first_seen_at: at(nth), last_seen_at: at(nth) }
  })
  await db.collection<{ _id: string }>('agents').insertMany(documents)
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const idsOf = (filter: object) => db.collection<{ _id: string }>('agents').distinct('_id', filter)

test.each([
  ['the processes of an enrolled agent', 'enrolled one', true, MOST_OF_NAME, 200],
  ['the processes of a name with the shared token', 'shared one', false, MOST_OF_NAME, 200],
  ['all processes with the shared token', '', false, MOST_SHARED, 1_000],
])('of $0 the process that is gone for the longest time makes room for another one', async (...row) => {
  const [, name, enrolled, most, expected] = row
  expect(most).toBe(expected)
  await db.collection('agents').deleteMany({})
  const names = name === '' ? ['a', 'b', 'c', 'd', 'e'] : [name]
  for (const [nth, one] of names.entries()) {
    await recordGone(most / names.length, one, enrolled, (age) => minutesAgo(10_000 - (age * names.length + nth)))
  }
  const newcomer = name === '' ? 'newcomer' : name
  await agents.makeRoom(`${names[0]} 0`, newcomer, enrolled) // it has an entry, and keeps it
  expect(await idsOf({})).toHaveLength(most)
  await agents.makeRoom('another', newcomer, enrolled)
  expect(await idsOf({})).toHaveLength(most - 1)
  expect(await idsOf({})).not.toContain(`${names[0]} 0`)
  await agents.record('another', description(randomUUID(), 0), knownAgent('home', enrolled ? name : undefined), 'r')
  await db.collection('agents').updateMany({}, { $set: { connected: true, last_seen_at: new Date() } })
  await db.collection('agents').updateOne({ _id: 'another' as never }, { $set: { name: newcomer } })
  await expect(agents.makeRoom('one more', newcomer, enrolled)).rejects.toThrow(`${most} processes`)
  await agents.makeRoom('of another name', name === '' ? 'enrolled elsewhere' : 'another name', true)
})

test('a list has the thousand processes that were seen last, by name', async () => {
  await db.collection('agents').deleteMany({})
  await recordGone(1_001, 'many', true, (nth) => minutesAgo(5_000 - nth))
  await recordGone(1, 'a', true, () => minutesAgo(1))
  const listed = await agents.list()
  expect(listed).toHaveLength(1_000)
  expect(listed[0]?._id).toBe('a 0')
  expect(listed.map(({ _id }) => _id)).not.toContain('many 1')
  expect(listed.map(({ _id }) => _id)).toContain('many 2')
})

test('the exits are those of connected agents that take tasks, each once', async () => {
  await db.collection('agents').deleteMany({})
  const record = (id: string, exit: string, draining = false) =>
    agents.record(id, { ...description(id, 0), draining }, knownAgent(exit), 'r')
  await record('1', 'one')
  await record('2', 'one')
  await record('3', 'of a draining agent', true)
  await record('4', 'of an agent that left')
  await agents.disconnected('4', 'r')
  expect(await agents.exits()).toEqual(['exit of one'])
})
