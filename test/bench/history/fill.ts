import { randomUUID } from 'node:crypto'
import { forgetJobCounts } from '@placefleet/coordinator/jobs/counts'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { timeOrderedUuid } from '@placefleet/coordinator/mongo/time'
import { type ResultDocument, resultsOf } from '@placefleet/coordinator/results/documents'
import { NO_TIERS } from '@placefleet/coordinator/results/store'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import type { Db } from 'mongodb'

/** Documents of a batch, and batches inserted at once. */
const BATCH = 2_000
const AT_ONCE = 4

/** Users that share the history. The measured user is one of them. */
const USERS = 100

const DAY_MS = 86_400_000
const UNJOURNALED = { ordered: false, writeConcern: { w: 1, j: false } } as const

/** Different places of the simulated city that the history repeats. */
const TEMPLATES = 200

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
  const next = placesOf(placesAJob)
  const batches = Array.from({ length: Math.ceil(jobs / BATCH) }, (_, n) => Math.min(BATCH, jobs - n * BATCH))
  const work = async () => {
    for (let size = batches.pop(); size !== undefined; size = batches.pop()) {
      const made = Array.from({ length: size }, (_, n) => jobLike(template, users[n % USERS] ?? '', placesAJob))
      await jobsOf(db).insertMany(made, UNJOURNALED)
      const found = made.flatMap((job) => next(job))
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
  const over = { created_at, updated_at: created_at, ended_at: created_at }
  const totals = { places, reviews: 0, images: 0 }
  const name = `Bakeries ${Math.floor(Math.random() * 1e6)}`
  return {
    ...template,
    _id: timeOrderedUuid(),
    user_id,
    name,
    phase: 'ended',
    end: 'completed',
    status: 'completed',
    totals,
    ...over,
  }
}

/**
 * Makes the places of jobs, each with the next ids. The ids begin after those of the measured jobs. Places have few
 * fields, so that five million fit on a small disk.
 */
function placesOf(count: number): (job: JobDocument) => ResultDocument[] {
  const city = createCity({ seed: 7, places: TEMPLATES })
  const templates = Array.from({ length: TEMPLATES }, (_none, index) => {
    const { place_key, title, category, address, phone, website, latitude, longitude, rating, link } = city.place(index)
    return { place_key, title, category, address, phone, website, latitude, longitude, rating, link }
  })
  let id = 1_000_000
  return ({ _id: job_id, user_id, created_at }) =>
    Array.from({ length: count }, (_, nth) => {
      const { place_key = '', ...place } = templates[(id + nth) % TEMPLATES] ?? { title: '' }
      const totals = { places: nth + 1, reviews: 0, images: 0 }
      const source = { task_id: 'task', attempt: 1, agent_id: 'agent', created_at }
      const tiers = { ...NO_TIERS, none: nth + 1 }
      const shown = { place_key: `${nth}${place_key}`, web_presence: 'none', place, totals, tiers } as const
      return { _id: id++, user_id, job_id, position: nth + 1, ...shown, ...source }
    })
}
