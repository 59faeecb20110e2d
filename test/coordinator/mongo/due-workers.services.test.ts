import { createDueQueue, type Due, dueIndex } from '@placefleet/coordinator/mongo/due-work'
import { createDueWorkers, type DueWork } from '@placefleet/coordinator/mongo/due-workers'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { expect, onTestFinished, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db } = await testDatabase()
const LEASE_MS = 300
/** For a test that fails when a machine renews no lease for this long. */
const LONG_LEASE_MS = 3_000

/** A queue with these documents, all due, and workers of it. */
async function startWorkers(ids: string[], work: DueWork<Due>, atOnce = 2, leaseMs = LEASE_MS) {
  const documents = db.collection<Due>(`due_${crypto.randomUUID()}`)
  await ensureIndexes(db, [dueIndex(documents.collectionName)])
  await documents.insertMany(ids.map((_id, nth) => ({ _id, due_at: new Date(nth) })))
  const { log } = capturedLog()
  const queue = createDueQueue(documents, { leaseMs })
  const newWorkers = () => {
    const workers = createDueWorkers<Due>({ name: 'it', log, queue, atOnce, renewMs: leaseMs / 6, work })
    onTestFinished(() => workers.stop())
    return workers
  }
  return { documents, queue, newWorkers }
}

test('a start does not wait for the work, and a slow document keeps no other one waiting', async () => {
  const slow = Promise.withResolvers<void>()
  const done: string[] = []
  const { queue, newWorkers } = await startWorkers(['slow', 'a', 'b', 'c'], async (document) => {
    if (document._id === 'slow') await slow.promise
    done.push(document._id)
    await queue.done(document)
  })
  await newWorkers().start()
  await until('all others are done', async () => done.length === 3)
  expect(done).toEqual(['a', 'b', 'c'])
  slow.resolve()
})

test('no more documents are worked on at the same time than there are workers', async () => {
  const ready = Promise.withResolvers<void>()
  let [now, most] = [0, 0]
  const { queue, newWorkers } = await startWorkers(['a', 'b', 'c', 'd', 'e'], async (document) => {
    most = Math.max(most, ++now)
    await ready.promise
    now--
    await queue.done(document)
  })
  const workers = newWorkers()
  await Promise.all([workers.start(), workers.start(), workers.startOne('e')])
  expect(most).toBe(2)
  ready.resolve()
  await workers.idle()
  expect(most).toBe(2)
})

test('a lease is renewed while the work lasts, so no other coordinator takes the document', async () => {
  const ready = Promise.withResolvers<void>()
  let begun = 0
  const { documents, queue, newWorkers } = await startWorkers(
    ['long'],
    async (document) => {
      begun++
      await ready.promise
      await queue.done(document)
    },
    2,
    LONG_LEASE_MS,
  )
  const [mine, others] = [newWorkers(), newWorkers()]
  await mine.start()
  const first = await documents.findOne({ _id: 'long' })
  await until('the lease was renewed', async () => {
    await others.start()
    const next = await documents.findOne({ _id: 'long' })
    return Number(next?.due_at) > Number(first?.due_at) + LONG_LEASE_MS
  })
  expect(begun).toBe(1)
  ready.resolve()
  await mine.idle()
  expect(await documents.findOne({ _id: 'long' })).toEqual({ _id: 'long' })
})

test('whoever has lost the lease is told to stop', async () => {
  const stopped: string[] = []
  const { documents, newWorkers } = await startWorkers(['lost'], ({ _id }, signal) => {
    const stop = (reject: (reason: unknown) => void) => {
      stopped.push(_id)
      reject(signal.reason)
    }
    return new Promise((_, reject) => signal.addEventListener('abort', () => stop(reject)))
  })
  const workers = newWorkers()
  await workers.startOne('lost')
  await documents.updateOne({ _id: 'lost' }, { $set: { lease: { id: 'another', at: new Date() } } })
  await workers.idle()
  expect(stopped).toEqual(['lost'])
})

test('work that fails is done again when its lease ends', async () => {
  let tries = 0
  const { documents, queue, newWorkers } = await startWorkers(['fails'], async (document) => {
    tries++
    if (tries === 1) throw new Error('no luck')
    await queue.done(document)
  })
  const workers = newWorkers()
  await until('it is done', async () => {
    await workers.start()
    return !(await documents.findOne({ _id: 'fails' }))?.due_at
  })
  expect(tries).toBe(2)
})
