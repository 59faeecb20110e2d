import type { Place } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import type { JobDocument } from '../../jobs/documents.ts'
import { droppedPlacesOf, knownPlacesOf } from '../../known-places/documents.ts'
import { factsOf } from '../../known-places/facts.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { using } from '../../mongo/indexes.ts'
import { CHAIN_INDEX, resultsOf } from '../../results/documents.ts'
import { type MonitorDocument, monitorsOf } from '../documents.ts'
import { type SeriesDocument, STATE_INDEX, seriesPlacesOf } from '../series/documents.ts'
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
type EndedJob = JobDocument & { monitor: NonNullable<JobDocument['monitor']> }

/** A run whose jobs have ended. */
type EndedRun = {
  monitor_id: string
  user_id: string
  at: Date
  /** Its jobs, the last one last. */
  jobs: readonly string[]
  /** Places that it looked at directly. */
  looks: Iterable<string>
  /** Known places that its searches listed, and that it did not collect again. */
  listed: readonly string[]
  /** Whether it searched everything. Only then a missing place means something. */
  whole: boolean
}

/** Compares an ended run of one job with what its monitor knew, and records the changes. Safe to repeat. */
export async function recordChanges(db: Db, job: EndedJob): Promise<void> {
  if (job.status === 'failed') return
  const { _id, user_id, monitor } = job
  await compareRun(db, {
    monitor_id: monitor.id,
    user_id,
    at: monitor.at,
    jobs: [_id],
    whole: isWhole(job),
    looks: monitor.looks?.map(({ place_key }) => place_key) ?? [],
    listed: await droppedPlacesOf(db).distinct('place_key', { job_id: _id }),
  })
}

/**
 * Compares an ended series of jobs with what its monitor knew, and records the changes. They are compared once for the
 * series, because one of its jobs sees only a part of the area. Safe to repeat.
 */
export async function recordSeriesChanges(db: Db, series: SeriesDocument): Promise<void> {
  const { _id: series_id, ended, ...run } = series
  if (ended === undefined || ended === 'failed') return
  const listed = await seriesPlacesOf(db).distinct('place_key', { series_id, state: 'known' }, using(STATE_INDEX))
  await compareRun(db, { ...run, listed, whole: ended === 'exhausted' })
}

/**
 * Compares an ended run with what its monitor knew, and records the changes. Safe to repeat: the changes come first,
 * each once, then the places, and the monitor's own note of the run last.
 */
async function compareRun(db: Db, ended: EndedRun): Promise<void> {
  const { monitor_id, at } = ended
  const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
  if (!monitor || monitor.deleted_at || (monitor.compared_at && monitor.compared_at >= at)) return
  const findings = await findingsOf(db, ended, monitor)
  const known = await watchedPlacesOf(db)
    .find({ monitor_id }, { ...using(PLACES_INDEX), projection: { _id: 0 } })
    .toArray()
  const before = new Map(known.filter(({ run_at }) => run_at < at).map((place) => [place.place_key, place]))
  const done = new Set(known.filter(({ run_at }) => run_at >= at).map(({ place_key }) => place_key))
  const run = assessRun(before, monitor.whole_runs ?? 0, findings)
  for (const key of done) run.assessed.delete(key) // this run was compared with it before a crash
  // Places are saved after all changes: when one is saved, every change is recorded.
  if (done.size === 0) await addChanges(db, ended, run, findings.storedBy)
  await savePlaces(db, ended, run)
  await monitorsOf(db).updateOne(
    { _id: monitor_id, $or: [{ compared_at: { $exists: false } }, { compared_at: { $lt: at } }] },
    { $set: { compared_at: at, knows_area: run.knowsArea }, $inc: { whole_runs: findings.whole ? 1 : 0 } },
  )
}

/** The findings of a run, and the job that stored each place. */
type StoredFindings = RunFindings & { storedBy: ReadonlyMap<string, string> }

async function findingsOf(
  db: Db,
  { jobs, listed, looks, whole }: EndedRun,
  { watch_ratings = false }: MonitorDocument,
): Promise<StoredFindings> {
  const stored = new Map<string, { facts: Watched; closed: boolean }>()
  const storedBy = new Map<string, string>()
  const results = resultsOf(db).find(
    { job_id: { $in: [...jobs] }, place_key: { $exists: true } },
    { ...using(CHAIN_INDEX), projection: { job_id: 1, place_key: 1, place: 1 } },
  )
  for await (const { job_id, place_key, place } of results) {
    stored.set(place_key, { facts: watchedFields(place, watch_ratings), closed: place.closed === 'permanently' })
    storedBy.set(place_key, job_id)
  }
  return { stored, storedBy, listed: new Set(listed), looks: new Set(looks), whole }
}

function watchedFields(place: Omit<Place, 'place_key'>, withRatings: boolean): Watched {
  const { rating, review_count } = place
  return { ...factsOf(place), ...(withRatings && { rating, review_count }) }
}

/** Returns whether a job searched everything. */
function isWhole({ status, partial, totals, data, outcomes }: EndedJob): boolean {
  const { blocked, consent, limited, timeout } = outcomes
  const isCut = totals.places >= data.max_results
  return status === 'completed' && !partial && !isCut && blocked + consent + limited + timeout === 0
}

/** Appends the changes of a run, each once. The unique number is the lock: who loses the race reads on. */
async function addChanges(
  db: Db,
  { monitor_id, at: run_at, jobs }: EndedRun,
  { assessed }: AssessedRun,
  storedBy: ReadonlyMap<string, string>,
): Promise<void> {
  const changed = [...assessed].flatMap(([place_key, { place, change }]) =>
    change ? [{ place_key, place, change }] : [],
  )
  if (changed.length === 0) return
  const changes = changesOf(db)
  for (;;) {
    const recorded = new Set(await changes.distinct('place_key', { monitor_id, run_at }))
    const last = await changes.findOne({ monitor_id }, { sort: { sequence: -1 }, ...using(CHANGES_INDEX) })
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
          job_id: storedBy.get(place_key) ?? jobs.at(-1) ?? '',
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
async function savePlaces(
  db: Db,
  { user_id, monitor_id, at: run_at }: EndedRun,
  { assessed }: AssessedRun,
): Promise<void> {
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
