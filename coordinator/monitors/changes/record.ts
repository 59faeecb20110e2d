import type { Place } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import type { JobDocument } from '../../jobs/documents.ts'
import { droppedPlacesOf, knownPlacesOf } from '../../known-places/documents.ts'
import { factsOf } from '../../known-places/facts.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { CHAIN_INDEX, resultsOf } from '../../results/documents.ts'
import { type MonitorDocument, monitorsOf } from '../documents.ts'
import { type AssessedRun, assessRun, type RunFindings } from './assess-run.ts'
import {
  CHANGES_INDEX,
  CHANGES_KEY,
  type ChangeDocument,
  changesOf,
  PLACES_INDEX,
  type WatchedPlaceDocument,
  watchedPlacesOf,
} from './documents.ts'
import type { Watched } from './rules.ts'

/** A job of a monitor that has ended. */
type EndedRun = JobDocument & { monitor: NonNullable<JobDocument['monitor']> }

/**
 * Compares an ended run with what its monitor knew, and records the changes. Safe to repeat: the changes come first,
 * each once, then the places, and the monitor's own note of the run last.
 */
export async function recordChanges(db: Db, job: EndedRun): Promise<void> {
  const { id: monitor_id, at } = job.monitor
  const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
  if (!monitor || (monitor.compared_at && monitor.compared_at >= at) || job.status === 'failed') return
  const findings = await findingsOf(db, job, monitor)
  const known = await watchedPlacesOf(db)
    .find({ monitor_id }, { hint: PLACES_INDEX, projection: { _id: 0 } })
    .toArray()
  const before = new Map(known.filter(({ run_at }) => run_at < at).map((place) => [place.place_key, place]))
  const done = new Set(known.filter(({ run_at }) => run_at >= at).map(({ place_key }) => place_key))
  const run = assessRun(before, monitor.whole_runs ?? 0, findings)
  for (const key of done) run.assessed.delete(key) // this run was compared with it before a crash
  // Places are saved after all changes: when one is saved, every change is recorded.
  if (done.size === 0) await addChanges(db, job, run)
  await savePlaces(db, job, run)
  await monitorsOf(db).updateOne(
    { _id: monitor_id, $or: [{ compared_at: { $exists: false } }, { compared_at: { $lt: at } }] },
    { $set: { compared_at: at, knows_area: run.knowsArea }, $inc: { whole_runs: findings.whole ? 1 : 0 } },
  )
}

async function findingsOf(db: Db, job: EndedRun, { watch_ratings = false }: MonitorDocument): Promise<RunFindings> {
  const job_id = job._id
  const stored: [string, { facts: Watched; closed: boolean }][] = []
  const results = resultsOf(db).find(
    { job_id, place_key: { $exists: true } },
    { hint: CHAIN_INDEX, projection: { place_key: 1, place: 1 } },
  )
  for await (const { place_key, place } of results) {
    stored.push([place_key, { facts: watchedFields(place, watch_ratings), closed: place.closed === 'permanently' }])
  }
  return {
    stored: new Map(stored),
    listed: new Set(await droppedPlacesOf(db).distinct('place_key', { job_id })),
    looks: new Set(job.monitor.looks?.map(({ place_key }) => place_key)),
    whole: isWhole(job),
  }
}

function watchedFields(place: Omit<Place, 'place_key'>, withRatings: boolean): Watched {
  const { rating, review_count } = place
  return { ...factsOf(place), ...(withRatings && { rating, review_count }) }
}

/** Returns whether a job searched everything. Only then a missing place means something. */
function isWhole({ status, partial, totals, data, outcomes }: JobDocument): boolean {
  const { blocked, consent, limited, timeout } = outcomes
  const isCut = totals.places >= data.max_results
  return status === 'completed' && !partial && !isCut && blocked + consent + limited + timeout === 0
}

/** Appends the changes of a run, each once. The unique number is the lock: who loses the race reads on. */
async function addChanges(db: Db, { _id: job_id, monitor }: EndedRun, { assessed }: AssessedRun): Promise<void> {
  const { id: monitor_id, at: run_at } = monitor
  const changed = [...assessed].flatMap(([place_key, { place, change }]) =>
    change ? [{ place_key, place, change }] : [],
  )
  if (changed.length === 0) return
  const changes = changesOf(db)
  for (;;) {
    const recorded = new Set(await changes.distinct('place_key', { monitor_id, run_at }))
    const last = await changes.findOne({ monitor_id }, { sort: { sequence: -1 }, hint: CHANGES_INDEX })
    const first = (last?.sequence ?? 0) + 1
    const seen_at = new Date()
    const documents = changed
      .filter(({ place_key }) => !recorded.has(place_key))
      .map(({ place_key, place, change }, index): ChangeDocument => {
        const title = place?.facts?.title
        return {
          ...change,
          monitor_id,
          sequence: first + index,
          place_key,
          ...(title !== undefined && { title }),
          job_id,
          run_at,
          seen_at,
        }
      })
    if (documents.length === 0) return
    try {
      await changes.insertMany(documents, { ordered: true })
      return
    } catch (error) {
      if (!isDuplicateKey(error, CHANGES_KEY) && !isDuplicateKey(error)) throw error
    }
  }
}

/**
 * Saves the compared places. A place that vanished is no longer known, so the job collects it when it is found again.
 */
async function savePlaces(db: Db, { user_id, monitor }: EndedRun, { assessed }: AssessedRun): Promise<void> {
  const { id: monitor_id, at: run_at } = monitor
  const places = [...assessed].flatMap(([place_key, { place }]): WatchedPlaceDocument[] =>
    place ? [{ ...place, monitor_id, place_key, run_at }] : [],
  )
  const gone = [...assessed].flatMap(([key, { change }]) => (change?.type === 'gone' ? [key] : []))
  if (gone.length > 0) await knownPlacesOf(db).deleteMany({ user_id, place_key: { $in: gone } })
  if (places.length === 0) return
  await watchedPlacesOf(db).bulkWrite(
    places.map((place) => ({
      replaceOne: { filter: { monitor_id, place_key: place.place_key }, replacement: place, upsert: true },
    })),
    { ordered: false },
  )
}
