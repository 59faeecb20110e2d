import { randomUUID } from 'node:crypto'
import { forgetJobCounts } from '@placefleet/coordinator/jobs/counts'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { timeOrderedUuid } from '@placefleet/coordinator/mongo/time'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { NO_TIERS } from '@placefleet/coordinator/results/store'
import type { Db } from 'mongodb'
import { resultOf, storedPlace } from '../api/places.ts'

/** Documents of a batch, and batches inserted at once. */
const BATCH = 2_000
const AT_ONCE = 4

/** Users that share the history. The measured user is one of them. */
const USERS = 100

const DAY_MS = 86_400_000
const UNJOURNALED = { ordered: false, writeConcern: { w: 1, j: false } } as const

/**
 * Different places of the simulated city that the history repeats, with few fields, so that many fit on a small disk.
 */
const PLACES = Array.from({ length: 200 }, (_, index) => {
  const { title, category, address, phone, website, latitude, longitude, rating, link } = storedPlace(index)
  return { title, category, address, phone, website, latitude, longitude, rating, link }
})

/**
 * Fills the database with ended jobs like `template` and their places, like a year of use. The measured user owns one
 * job in a hundred.
 */
export async function fillHistory(
  db: Db,
  template: JobDocument,
  { jobs, places }: { jobs: number; places: number },
): Promise<void> {
  const users = [template.user_id, ...Array.from({ length: USERS - 1 }, () => randomUUID())]
  const placesAJob = Math.ceil(places / jobs)
  let id = 1_000_000 // after those of the measured jobs
  const placesOf = ({ _id: job_id, user_id, created_at }: JobDocument) =>
    Array.from({ length: placesAJob }, (_, nth) => {
      const tiers = { ...NO_TIERS, none: nth + 1 }
      const place = PLACES[id % PLACES.length] ?? { title: '' }
      return { ...resultOf(id++, nth, place), job_id, user_id, created_at, web_presence: 'none' as const, tiers }
    })
  const batches = Array.from({ length: Math.ceil(jobs / BATCH) }, (_, n) => Math.min(BATCH, jobs - n * BATCH))
  const work = async () => {
    for (let size = batches.pop(); size !== undefined; size = batches.pop()) {
      const made = Array.from({ length: size }, (_, n) => jobLike(template, users[n % USERS] ?? '', placesAJob))
      await jobsOf(db).insertMany(made, UNJOURNALED)
      const found = made.flatMap(placesOf)
      for (let from = 0; from < found.length; from += BATCH) {
        await resultsOf(db).insertMany(found.slice(from, from + BATCH), UNJOURNALED)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await forgetJobCounts(db) // they are made again with what was filled in
}

/** Returns an ended job like the template. Its tasks are removed already, so it is not due. */
function jobLike(
  { idempotency: _, due_at: _due, uncounted: _counted, ...template }: JobDocument,
  user_id: string,
  places: number,
): JobDocument {
  const created_at = new Date(Date.now() - DAY_MS * (1 + Math.random() * 364))
  const totals = { places, reviews: 0, images: 0 }
  const name = `Bakeries ${Math.floor(Math.random() * 1e6)}`
  const ended = {
    phase: 'ended',
    end: 'completed',
    status: 'completed',
    updated_at: created_at,
    ended_at: created_at,
  } as const
  return { ...template, ...ended, _id: timeOrderedUuid(), user_id, name, totals, created_at }
}
