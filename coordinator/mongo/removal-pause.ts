import type { Db } from 'mongodb'
import { collection } from './connect.ts'
import { fromNow } from './time.ts'

/** A pause of all removals, and when it ends without a renewal. */
type PauseDocument = { _id: 'removal_pause'; until: Date }

const PAUSE_SECONDS = 60
const RENEW_MS = 15_000

const PAUSE = { _id: 'removal_pause' } as const

const pauseOf = (db: Db) => collection<PauseDocument>(db, 'deployment')

/** Returns whether removals are paused, because a backup reads the whole database. */
export async function areRemovalsPaused(db: Db): Promise<boolean> {
  const holds = { ...PAUSE, $expr: { $gt: ['$until', '$$NOW'] } }
  return (await pauseOf(db).findOne(holds, { projection: { _id: 1 } })) !== null
}

/**
 * Pauses the removal of jobs on all coordinators while `work` runs. Jobs that are deleted during the pause are removed
 * after it.
 * @throws the errors of `work` and of a failed renewal.
 */
export async function pauseRemovals<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  const pause = () =>
    pauseOf(db).updateOne(PAUSE, [{ $set: { until: fromNow(PAUSE_SECONDS, 'second') } }], { upsert: true })
  await pause()
  const failed = Promise.withResolvers<never>()
  const renewal = setInterval(() => void pause().catch(failed.reject), RENEW_MS)
  try {
    return await Promise.race([work(), failed.promise])
  } finally {
    clearInterval(renewal)
    await pauseOf(db).deleteOne(PAUSE)
  }
}
