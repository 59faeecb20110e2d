import type { Db } from 'mongodb'
import { type JobDocument, jobsOf } from '../../jobs/documents.ts'
import type { JobPhase } from '../../jobs/phase.ts'
import { DROPPED_INDEX, droppedPlacesOf, knownPlacesOf } from '../../known-places/documents.ts'
import { batches } from '../../mongo/batches.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { using } from '../../mongo/indexes.ts'
import { type MonitorDocument, monitorsOf } from '../documents.ts'
import { assessRun } from './assess-run.ts'
import { type Histories, knowsArea, priorOf } from './detection.ts'
import {
  CHANGES_INDEX,
  CHANGES_KEY,
  type ChangeDocument,
  changesOf,
  PLACES_INDEX,
  type WatchedPlaceDocument,
  watchedPlacesOf,
} from './documents.ts'
import type { Assessed, Circumstances } from './rules.ts'
import { BATCH, type Sighting, sightingsOf } from './sightings.ts'

/** A job of a monitor that has ended. */
type EndedJob = JobDocument & { monitor: NonNullable<JobDocument['monitor']> }

/** A run whose job has ended. */
type EndedRun = {
  monitor_id: string
  user_id: string
  at: Date
  job_id: string
  /** Places that it looked at directly. */
  looks: Iterable<string>
  /** Known places that its searches listed, and that it did not collect again, in the order of their keys. */
  listed: AsyncIterable<{ place_key: string }>
  /** Whether it searched everything. Only then a missing place means something. */
  whole: boolean
}

/** Compares an ended run with what its monitor knew, and records the changes. Safe to repeat. */
export async function recordChanges(db: Db, job: EndedJob): Promise<void> {
  if (job.status === 'failed') return
  const { _id, user_id, monitor } = job
  await compareRun(db, {
    monitor_id: monitor.id,
    user_id,
    at: monitor.at,
    job_id: _id,
    whole: isWhole(job),
    looks: monitor.looks?.map(({ place_key }) => place_key) ?? [],
    listed: droppedPlacesOf(db).find({ job_id: _id }, using(DROPPED_INDEX)).sort({ place_key: 1 }),
  })
}

/**
 * Compares an ended run with what its monitor knew, and records the changes. Safe to repeat: what the places are judged by
 * is stored first, and the monitor's own note of the run last. Between them the places go by in the order of their keys,
 * a bounded number at a time, because a monitor may know a city of 100,000.
 */
async function compareRun(db: Db, ended: EndedRun): Promise<void> {
  const { monitor_id, at, job_id, listed, whole } = ended
  const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
  if (!monitor || monitor.deleted_at || (monitor.compared_at && monitor.compared_at >= at)) return
  const decided = monitor.comparing?.at.getTime() === at.getTime() ? monitor.comparing : await decide(db, monitor, at)
  if (!decided) return
  const { prior, knows_area } = decided
  const withRatings = monitor.watch_ratings ?? false
  const sightings = sightingsOf(db, { monitor_id, job_id, listed, withRatings })
  for await (const some of batches(sightings, BATCH)) {
    if (!(await isThere(db, job_id))) return // what is missing was deleted
    await compareSome(db, ended, some, { prior, knowsArea: knows_area, whole })
  }
  await monitorsOf(db).updateOne(
    { _id: monitor_id, ...notComparedYet(at) },
    { $set: { compared_at: at, knows_area }, $unset: { comparing: '' }, $inc: { whole_runs: whole ? 1 : 0 } },
  )
}

/** Whether a job still has all its places. */
async function isThere(db: Db, job_id: string): Promise<boolean> {
  const withPlaces = { _id: job_id, phase: { $in: ['closing', 'ended'] satisfies JobPhase[] } }
  return (await jobsOf(db).countDocuments(withPlaces)) === 1
}

const notComparedYet = (at: Date) => ({ $or: [{ compared_at: { $exists: false } }, { compared_at: { $lt: at } }] })

/** Decides by what the places of a run are judged. Undefined: another coordinator has compared the run meanwhile. */
async function decide(
  db: Db,
  { _id, whole_runs = 0 }: MonitorDocument,
  at: Date,
): Promise<MonitorDocument['comparing']> {
  const histories = await historiesOf(db, _id)
  const prior = priorOf(histories)
  const comparing = { at, prior, knows_area: knowsArea(histories, whole_runs, prior) }
  const undecided = { _id, ...notComparedYet(at), 'comparing.at': { $ne: at } }
  const { matchedCount } = await monitorsOf(db).updateOne(undecided, { $set: { comparing } })
  if (matchedCount === 1) return comparing
  const monitor = await monitorsOf(db).findOne({ _id, 'comparing.at': at })
  return monitor?.comparing
}

/**
 * Counts the present places of a monitor by how often they were found and missed so far. Omits suspects, because most of
 * them are gone.
 */
function historiesOf(db: Db, monitor_id: string): Promise<Histories> {
  const stages = [
    { $match: { monitor_id, state: 'present', suspect: { $exists: false } } },
    { $group: { _id: { found: '$found', missed: { $add: ['$missed', '$streak'] } }, places: { $sum: 1 } } },
    { $project: { _id: 0, found: '$_id.found', missed: '$_id.missed', places: 1 } },
  ]
  return watchedPlacesOf(db).aggregate<Histories[number]>(stages, using(PLACES_INDEX)).toArray()
}

/** Compares some places of a run. The changes come first, each once, then the places. */
async function compareSome(
  db: Db,
  ended: EndedRun,
  sightings: readonly Sighting[],
  circumstances: Circumstances,
): Promise<void> {
  const { at, looks } = ended
  const open = sightings.filter(({ watched }) => !watched || watched.run_at < at) // the others were compared before a crash
  const of = <Value>(part: (sighting: Sighting) => Value | undefined) =>
    new Map(
      open.flatMap((sighting) => {
        const value = part(sighting)
        return value === undefined ? [] : [[sighting.place_key, value]]
      }),
    )
  const stored = of((sighting) => sighting.stored)
  const findings = { stored, listed: new Set(of(({ listed }) => listed).keys()), looks: new Set(looks) }
  const assessed = assessRun(
    of(({ watched }) => watched),
    findings,
    circumstances,
  )
  await addChanges(db, ended, assessed)
  await savePlaces(db, ended, assessed)
}

/** Returns whether a job searched everything. One that exhausted its area searched again where answers lacked places. */
function isWhole({ status, partial, totals, data, outcomes }: EndedJob): boolean {
  const { blocked, consent, limited, timeout } = outcomes
  if (data.exhaust) return status === 'completed' && !partial
  const isCut = totals.places >= data.max_results
  return status === 'completed' && !partial && !isCut && blocked + consent + limited + timeout === 0
}

/** Appends the changes of a run, each once. The unique number is the lock: who loses the race reads on. */
async function addChanges(
  db: Db,
  { monitor_id, at: run_at, job_id }: EndedRun,
  assessed: ReadonlyMap<string, Assessed>,
): Promise<void> {
  const changed = [...assessed].flatMap(([place_key, { place, change }]) =>
    change ? [{ place_key, place, change }] : [],
  )
  if (changed.length === 0) return
  const changes = changesOf(db)
  const keys = changed.map(({ place_key }) => place_key)
  for (;;) {
    const recorded = new Set(await changes.distinct('place_key', { monitor_id, run_at, place_key: { $in: keys } }))
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
async function savePlaces(
  db: Db,
  { user_id, monitor_id, at: run_at }: EndedRun,
  assessed: ReadonlyMap<string, Assessed>,
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
