import { randomUUID } from 'node:crypto'
import { collection } from '@placefleet/coordinator/mongo/connect'
import { createDueQueue, type Due, dueIndex, dueIndexBy, setDueNow } from '@placefleet/coordinator/mongo/due-work'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { fromNow } from '@placefleet/coordinator/mongo/time'
import { describe, expect, test } from 'vitest'
import { explainedDatabase } from '../../harness/servers/explained-database.ts'
import { steppingDb } from '../../harness/servers/stepping-database.ts'
import { dyingBefore } from '../operations/steps.ts'

type Work = Due & { host?: string; tries?: number; result?: string }

const { db, readBy } = await explainedDatabase()
const HOUR_MS = 3_600_000
const LONG_AGO = new Date(0)

/** A queue of its own. */
async function queueOf(documents: Work[], changes: Partial<Parameters<typeof createDueQueue<Work>>[1]> = {}) {
  const name = `work_${randomUUID().slice(0, 8)}`
  await ensureIndexes(db, [dueIndex(name), dueIndexBy(name, 'host')])
  const work = collection<Work>(db, name)
  if (documents.length > 0) await work.insertMany(documents)
  const options = { leaseMs: HOUR_MS, key: 'host', ...changes }
  return {
    work,
    queue: createDueQueue(work, options),
    over: (seen: typeof db) => createDueQueue(collection<Work>(seen, name), options),
    /** Lets the lease of a document end, as after the death of its holder. */
    expire: (_id: string) => work.updateOne({ _id }, { $set: { due_at: LONG_AGO } }),
    find: async (_id: string) => (await work.findOne({ _id })) ?? expect.fail('it is gone'),
  }
}

const one = (changes: Partial<Work> = {}): Work => ({ _id: randomUUID(), due_at: LONG_AGO, ...changes })
const took = async <Taken extends Work>(taking: Promise<Taken | undefined>): Promise<Taken> =>
  (await taking) ?? expect.fail('nothing is due')

/** Takes everything until nothing is due. */
const drainBy = async (take: () => Promise<Work[]>) => {
  const taken: string[] = []
  for (let more = await take(); more.length > 0; more = await take()) taken.push(...more.map(({ _id }) => _id))
  return taken
}

test('two coordinators that take at once get each document once', async () => {
  const all = Array.from({ length: 40 }, (_, n) => one({ host: `host ${n % 4}` }))
  const { queue } = await queueOf(all)
  const oneByOne = async () => [await queue.take()].filter((work) => work !== undefined)
  const many = async (): Promise<Work[]> => {
    const more = await queue.takeFairly({ total: 7, of: () => 3, full: [] })
    return more.length > 0 || Number(await queue.nextInMs()) > 0 ? more : many()
  }

  const taken = await Promise.all([drainBy(oneByOne), drainBy(many), drainBy(many)])

  expect(taken.flat().sort()).toEqual(all.map(({ _id }) => _id).sort())
})

test.each([
  [2, 1],
  [3, 0],
])('who loses all that is due to others $0 times in a row takes $1 of what is due then', async (losses, takes) => {
  const { work, over } = await queueOf([one({ host: 'a' })])
  let left = losses
  const afterRivals = async (call: () => Promise<unknown>) => {
    if (left-- > 0) {
      await work.updateMany({}, { $set: { due_at: new Date(Date.now() + HOUR_MS) } })
      await work.insertOne(one({ host: 'a' }))
    }
    return call()
  }
  const queue = over(steppingDb(db, ['updateMany'], afterRivals))

  expect(await queue.takeFairly({ total: 5, of: () => 3, full: [] })).toHaveLength(takes)
})

test('the document that has been due longest is taken first, and one that is not due is not taken', async () => {
  const [first, second] = [one({ due_at: new Date(1) }), one({ due_at: new Date(2) })]
  const { queue } = await queueOf([second, first, one({ due_at: new Date(Date.now() + HOUR_MS) }), { _id: 'idle' }])
  const taken = [await queue.take(), await queue.take(), await queue.take()]
  expect(taken.map((work) => work?._id)).toEqual([first._id, second._id, undefined])
})

test('a lease begins and ends by the clock of the database', async () => {
  const { queue } = await queueOf([one()])
  const { lease, due_at } = await took(queue.take())
  expect(Number(due_at) - Number(lease?.at)).toBe(HOUR_MS)
})

test('when a holder dies, another takes its document once the lease has ended, not before', async () => {
  const { queue, expire } = await queueOf([one({ _id: 'a' })])
  const dead = await took(queue.take())
  expect(await queue.take()).toBeUndefined()
  await expire('a')
  expect((await took(queue.take())).lease).not.toEqual(dead.lease)
})

test('a former holder can neither prolong, nor repeat, nor end the work', async () => {
  const { queue, expire, find } = await queueOf([one({ _id: 'a' })])
  const former = await took(queue.take())
  await expire('a')
  await took(queue.take())
  const before = await find('a')

  expect(await queue.renew(former)).toBe(false)
  expect(await queue.again(former, '$$NOW', { result: 'no' })).toBe(false)
  expect(await queue.done(former, { result: 'no' })).toBe(false)

  expect(await find('a')).toEqual(before)
})

test('who makes a document due again takes it from its holder', async () => {
  const { queue, work, find } = await queueOf([one({ _id: 'a' })])
  const holder = await took(queue.take())
  await work.updateOne({ _id: 'a' }, [{ $set: setDueNow() }])
  expect(await queue.done(holder)).toBe(false)
  expect(await find('a')).toHaveProperty('due_at')
  await took(queue.take())
})

test('a renewed lease lasts longer, and its holder may still end the work', async () => {
  const { queue, expire, find } = await queueOf([one({ _id: 'a' })])
  const holder = await took(queue.take())
  await expire('a')
  expect(await queue.renew(holder)).toBe(true)
  expect(await queue.take()).toBeUndefined()
  expect(await queue.done(holder, { result: 'yes' })).toBe(true)
  expect(await find('a')).toEqual({ _id: 'a', result: 'yes' })
})

test('work that is to be done again is due after its wait', async () => {
  const { queue, expire } = await queueOf([one({ _id: 'a' })])
  expect(await queue.again(await took(queue.take()), fromNow(1, 'hour'), { tries: 1 })).toBe(true)
  expect(await queue.take()).toBeUndefined()
  expect(await queue.nextInMs()).toBeGreaterThan(HOUR_MS / 2)
  await expire('a')
  expect(await took(queue.take())).toMatchObject({ tries: 1 })
})

test('the wait before work that failed can grow with its tries', async () => {
  const leaseMs = { $multiply: [HOUR_MS, { $pow: [2, '$tries'] }] }
  const { queue, expire } = await queueOf([one({ _id: 'a', tries: 0 })], {
    leaseMs,
    set: { tries: { $add: ['$tries', 1] } },
  })
  const waits: number[] = []
  while (waits.length < 3) {
    const { due_at, lease } = await took(queue.take())
    waits.push(Number(due_at) - Number(lease?.at))
    await expire('a')
  }
  expect(waits).toEqual([HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS])
})

test.each([1, 2, 3])('a process that dies before its write number %i leaves the work to another', async (nth) => {
  const { queue, over, expire, find } = await queueOf([one({ _id: 'a' })])
  const dying = over(steppingDb(db, ['findOneAndUpdate', 'updateOne'], dyingBefore(nth)))
  const workOnIt = async (by: typeof queue) => {
    const holder = await took(by.take())
    await by.renew(holder)
    await by.done(holder, { result: 'yes' })
  }
  await expect(workOnIt(dying)).rejects.toThrow()
  await expire('a')
  await workOnIt(queue)
  expect(await find('a')).toEqual({ _id: 'a', result: 'yes' })
})

describe('a backlog of ten thousand for one host', async () => {
  const backlog = Array.from({ length: 10_000 }, (_, n) => one({ host: 'dead', due_at: new Date(n) }))
  const others = Array.from({ length: 5 }, (_, n) => one({ host: `host ${n}`, due_at: new Date(20_000 + n) }))
  const { queue, work } = await queueOf([...backlog, ...others])
  const total = 64
  const restore = () => work.updateMany({}, [{ $set: { lease: '$$REMOVE', due_at: LONG_AGO } }])

  test.each([
    ['while that host is full', ['dead'], 2 * others.length],
    ['before it is known to be full', [], 2 * total],
  ])('is not read to find the others $0', async (_, full, most) => {
    await restore()
    const taken: (string | undefined)[] = []

    const read = await readBy(async () => {
      const held = await queue.takeFairly({ total, of: (host) => (host === 'dead' ? 0 : 8), full })
      taken.push(...held.map(({ host }) => host))
    })

    expect(taken.sort()).toEqual(others.map(({ host }) => host))
    expect(Math.max(...read)).toBeLessThanOrEqual(most)
  })

  test('gets the room that it has, the others get theirs', async () => {
    await restore()
    const held = [
      ...(await queue.takeFairly({ total, of: () => 8, full: [] })),
      ...(await queue.takeFairly({ total, of: () => 8, full: ['dead'] })),
    ]
    expect(held.filter(({ host }) => host === 'dead')).toHaveLength(8)
    expect(held).toHaveLength(8 + others.length)
  })

  test('has a next due time that is read from the index', async () => {
    await restore()
    const read = await readBy(async () => expect(await queue.nextInMs()).toBeLessThan(0))
    expect(read).toEqual([1])
  })
})
