import type { Db } from 'mongodb'
import type { JobDocument } from '../../jobs/documents.ts'
import { hasItsPlaces } from '../../jobs/reports.ts'
import { droppedKeys, forgetKeys } from '../../known-places/documents.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { batches } from '../../mongo/in-batches.ts'
import { using } from '../../mongo/indexes.ts'
import { monitorsOf, WITHOUT_PROXIES } from '../documents.ts'
import { knowsArea, missesAfter, type RunCounts } from './detection.ts'
import { type ChangeDocument, changesBy, changesOf, type WatchedPlaceDocument, watchedPlacesOf } from './documents.ts'
import { type Assessed, assess, type Circumstances, type Finding } from './rules.ts'
import { BATCH, type Sighting, sightingsOf } from './sightings.ts'

/** A job of a monitor that has ended. */
type EndedJob = JobDocument & { monitor: NonNullable<JobDocument['monitor']> }

/** A run whose job has ended. */
type EndedRun = {
  monitor_id: string
  user_id: string
  began_at: Date
  job_id: string
  /** Places that it requested directly. */
  probes: Iterable<string>
  /** The keys of the known places that its searches listed and that it did not collect again, in order. */
  listed: AsyncIterable<string>
  /** Whether it searched everything. Only then a missing place means something. */
  whole: boolean
}

/**
 * Compares an ended run with what its monitor knew, and records the changes. Safe to repeat. Stops when the signal
 * aborts.
 */
export async function recordChanges(db: Db, job: EndedJob, signal?: AbortSignal): Promise<void> {
  if (job.status === 'failed') return
  const { _id, user_id, monitor } = job
  const run = {
    monitor_id: monitor.id,
    user_id,
    began_at: monitor.began_at,
    job_id: _id,
    whole: isWhole(job),
    probes: monitor.probes?.map(({ place_key }) => place_key) ?? [],
    listed: droppedKeys(db, _id),
  }
  await compareRun(db, run, signal)
}

/**
 * Compares an ended run with what its monitor knew, and records the changes. The places go by in the order of their keys, a
 * bounded number at a time, because a monitor may know a city of 100,000. Safe to repeat: a place that was compared before
 * a crash has the run's time, and the monitor, whose misses the places are judged by, changes last.
 */
async function compareRun(db: Db, ended: EndedRun, signal: AbortSignal | undefined): Promise<void> {
  const { monitor_id, began_at, job_id, listed, whole } = ended
  const monitor = await monitorsOf(db).findOne({ _id: monitor_id }, WITHOUT_PROXIES)
  if (!monitor || monitor.deleted_at || (monitor.compared_at && monitor.compared_at >= began_at)) return
  const circumstances = { knowsArea: knowsArea(monitor.misses), whole }
  const probes = new Set(ended.probes)
  const counts = { known: 0, before: 0, missed: 0 }
  const withRatings = monitor.watch_ratings ?? false
  const sightings = sightingsOf(db, { monitor_id, job_id, listed, withRatings })
  for await (const batch of batches(sightings, BATCH)) {
    signal?.throwIfAborted()
    if (!(await hasItsPlaces(db, job_id))) return // what is missing was deleted
    const compared = batch.map((sighting) => compare(sighting, began_at, probes, circumstances))
    await addChanges(db, ended, compared)
    await savePlaces(db, ended, compared)
    for (const place of compared) countPlace(counts, place, began_at, probes)
  }
  const notCompared = { $or: [{ compared_at: { $exists: false } }, { compared_at: { $lt: began_at } }] }
  const misses = whole ? { misses: missesAfter(monitor.misses, counts) } : {}
  await monitorsOf(db).updateOne({ _id: monitor_id, ...notCompared }, { $set: { compared_at: began_at, ...misses } })
}

/** A place of a run, and what the run changed. */
type Compared = Sighting & Assessed

/** Compares a place. One that was compared before a crash stays as it is. */
function compare(
  sighting: Sighting,
  began_at: Date,
  probes: ReadonlySet<string>,
  circumstances: Circumstances,
): Compared {
  const { watched } = sighting
  if (watched && watched.run_at >= began_at) return { ...sighting, place: watched }
  const isProbed = probes.has(sighting.place_key)
  return { ...sighting, ...assess(watched, findingOf(sighting, isProbed && circumstances.whole), circumstances) }
}

function findingOf({ stored, listed }: Sighting, isProbed: boolean): Finding {
  if (stored) return { kind: 'stored', fields: stored }
  if (isProbed) return { kind: 'vanished' }
  return { kind: listed ? 'listed' : 'absent' }
}

/** Counts a place for the misses of the monitor. A probe says nothing about the searches. */
function countPlace(
  counts: RunCounts,
  { place_key, watched, place }: Compared,
  began_at: Date,
  probes: ReadonlySet<string>,
): void {
  if (place?.state !== 'present') return
  counts.known++
  if (!watched || watched.since >= began_at || probes.has(place_key)) return
  counts.before++
  if (place.missed !== undefined) counts.missed++
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
  { monitor_id, began_at: run_at, job_id }: EndedRun,
  compared: readonly Compared[],
): Promise<void> {
  const changed = compared.flatMap(({ place_key, place, change }) => (change ? [{ place_key, place, change }] : []))
  if (changed.length === 0) return
  const changes = changesOf(db)
  const keys = changed.map(({ place_key }) => place_key)
  for (;;) {
    const recorded = new Set(await changes.distinct('place_key', { monitor_id, run_at, place_key: { $in: keys } }))
    const last = await changes.findOne({ monitor_id }, { sort: { sequence: -1 }, ...using(changesBy.monitor_sequence) })
    const first = (last?.sequence ?? 0) + 1
    const seen_at = new Date()
    const documents = changed
      .filter(({ place_key }) => !recorded.has(place_key))
      .map(({ place_key, place, change }, index): ChangeDocument => {
        const { title, latitude, longitude } = place?.fields ?? {}
        return {
          ...change,
          monitor_id,
          sequence: first + index,
          place_key,
          ...(title !== undefined && { title }),
          ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
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
      if (!isDuplicateKey(error)) throw error
    }
  }
}

/**
 * Saves the places that the run changed. A place that vanished is no longer known, so the job collects it when it is found
 * again.
 */
async function savePlaces(
  db: Db,
  { user_id, monitor_id, began_at: run_at }: EndedRun,
  compared: readonly Compared[],
): Promise<void> {
  const gone = compared.flatMap(({ place_key, change }) => (change?.type === 'gone' ? [place_key] : []))
  await forgetKeys(db, user_id, gone)
  const changed = compared.flatMap(({ place_key, watched, place }): WatchedPlaceDocument[] =>
    place && place !== watched ? [{ ...place, monitor_id, place_key, since: watched?.since ?? run_at, run_at }] : [],
  )
  if (changed.length === 0) return
  await watchedPlacesOf(db).bulkWrite(
    changed.map((place) => ({
      replaceOne: { filter: { monitor_id, place_key: place.place_key }, replacement: place, upsert: true },
    })),
    { ordered: false },
  )
}
