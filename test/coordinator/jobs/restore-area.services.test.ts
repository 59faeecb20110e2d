import { backUp } from '@placefleet/coordinator/backup/backup'
import { restore } from '@placefleet/coordinator/backup/restore'
import { indexes } from '@placefleet/coordinator/indexes'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { Collection, Db } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { volume } from '../../harness/volume.ts'
import { PLACES, runTask, startAreaWorld } from './area-world.ts'

/** 100 in the run of many. */
const BACKUPS = volume(2, 100)

/** How many collections a backup reads before the last one that matters. The job goes on before one of them. */
const FIRST_READS = 20

const [source, target] = [await startAreaWorld((end) => afterAll(end)), await startAreaWorld((end) => afterAll(end))]

/** Returns a database that waits for a step each time that a query begins to read a collection. */
function busyDb(db: Db, onRead: () => Promise<void>): Db {
  const busy = (collection: Collection) =>
    new Proxy(collection, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name)
        if (typeof member !== 'function') return member
        if (name !== 'find') return member.bind(of)
        return async function* read(...given: unknown[]) {
          await onRead()
          yield* member.apply(of, given)
        }
      },
    })
  return new Proxy(db, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name)
      if (name === 'collection') return (called: string) => busy(of.collection(called))
      return typeof member === 'function' ? member.bind(of) : member
    },
  })
}

/** Lets an agent run one task of the job. */
async function doStep(job_id: string): Promise<void> {
  await source.coordinator.engine.reconcile(job_id)
  const [task] = await source.released(job_id)
  if (task) await runTask(source.coordinator, task)
}

test('a job that a backup caught at any moment exhausts its area after the restore, and stores each place once', async () => {
  let seed = 9
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  for (let nth = 0; nth < BACKUPS; nth++) {
    const dir = temporaryDir()
    const job_id = await source.create()
    for (let before = dice(8); before > 0; before--) await doStep(job_id)
    const [busyRead, steps] = [dice(FIRST_READS), 1 + dice(8)]
    let reads = 0
    const progress = async () => {
      if (reads++ !== busyRead) return
      for (let left = steps; left > 0; left--) await doStep(job_id)
    }
    await backUp(busyDb(source.db, progress), dir)
    await restore(target.db, dir, indexes)

    const job = await target.runJob(job_id, (step) => step(target.coordinator))

    expect(job).toMatchObject({ status: 'completed', totals: { places: PLACES.length } })
    expect(job).not.toHaveProperty('partial')
    const stored = await resultsOf(target.db).distinct('place_key', { job_id, place_key: { $exists: true } })
    expect(stored.toSorted()).toEqual(PLACES.map(({ place_key }) => place_key).toSorted())
    for (const { db } of [source, target]) {
      for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany({})
    }
  }
}, 300_000)
