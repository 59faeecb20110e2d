import type { MissedInput } from '@placefleet/shared/input-report'
import type { TaskReference } from '@placefleet/shared/protocol'
import { rejectionReason } from '@placefleet/shared/rejection-reason'
import { placeInBrowser } from '../maps/place/browser.ts'
import { mayUseSearchInstead, type PlaceEndpoint, placeByHttp } from '../maps/place/http.ts'
import { type PlaceReading, readPayload } from '../maps/place/payload/payload.ts'
import { ask, type Result } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import type { HttpSession } from '../maps/requests/map-request.ts'
import { VERDICTS } from '../maps/requests/verdicts.ts'
import { searchForPlace } from '../maps/search/pages.ts'
import type { Locale } from '../maps/urls/parameters.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import { finishPlace } from './finish-place.ts'
import { missingAs, wholeKeyOf, whyUnserved } from './named-places.ts'
import type { Sink, TaskContext } from './task.ts'
import { affectsWholeTask, countFault, countLimited, TaskFailed, taskFailure } from './task-failed.ts'

/** Places in progress at once. Most of that time is for websites: the pace of the exit limits the site's requests. */
const AT_ONCE = 3
/** After this many places in a row without an answer, the site counts as down. */
const IN_A_ROW = 3

type Run = {
  readonly ends: PlaceEnd[]
  /** The last failure of each place that has no answer. */
  readonly failures: Map<string, MapFailed>
  readonly waiting: TaskReference[]
  /** The places without an answer, for the second round. */
  readonly deferred: TaskReference[]
  secondRound: boolean
  inARow: number
}

/**
 * Collects the places of a task that are not stored yet, a few at a time, and sends each as soon as it is done. A place
 * without an answer is retried once at the end. Throws TaskFailed when the site refuses, is down, or answers in an
 * unknown format, so that the other places are tried again later. Counts each place without an answer once.
 */
export async function collectPlaces(
  task: TaskContext,
  references: readonly TaskReference[],
  sink: Sink,
): Promise<void> {
  const waiting = references.filter(({ place_key }) => !task.stored.has(place_key))
  const memory: PlaceMemory = { endpoints: ['request', 'page'], withoutPayload: 0, served: false }
  const run: Run = { ends: [], failures: new Map(), waiting, deferred: [], secondRound: false, inARow: 0 }
  try {
    const collect = (reference: TaskReference) => collectPlace(task, memory, reference, sink)
    await inParallel(task, run, collect)
    run.waiting.push(...run.deferred.splice(0))
    run.secondRound = true
    await inParallel(task, run, collect)
    await confirmMissing(task, memory, run)
    judge(run)
  } finally {
    for (const failure of run.failures.values()) countFault(task.outcomes, failure)
    reportMissed(references, run, sink)
  }
}

/** A place counts as missing only where the site gives places. Elsewhere its answer is unrecognised. */
async function confirmMissing(task: TaskContext, memory: PlaceMemory, { failures }: Run): Promise<void> {
  const missing = [...failures].filter(([, { fault }]) => fault === 'not_found')
  if (missing.length === 0 || memory.served) return
  const unserved = await whyUnserved(task)
  if (unserved) for (const [place_key] of missing) failures.set(place_key, unserved)
}

/** Says why named places have no answer. */
function reportMissed(references: readonly TaskReference[], { failures }: Run, sink: Sink): void {
  for (const { place_key, input } of references) {
    const failure = failures.get(place_key)
    if (input && failure) sink.input({ reference_key: place_key, status: statusOf(failure) })
  }
}

function statusOf({ fault }: MapFailed): MissedInput {
  if (fault === 'not_found') return 'not_found'
  return ['blocked', 'consent'].includes(VERDICTS[fault].outcome ?? '') ? 'blocked' : 'failed'
}

type Collect = (reference: TaskReference) => Promise<PlaceEnd>

async function inParallel(task: TaskContext, run: Run, collect: Collect): Promise<void> {
  const workers = Array.from({ length: Math.min(AT_ONCE, run.waiting.length) }, () => work(task, run, collect))
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected')
  task.signal.throwIfAborted()
  if (failed) throw failed.reason
}

async function work(task: TaskContext, run: Run, collect: Collect): Promise<void> {
  for (let reference = run.waiting.shift(); reference; reference = run.waiting.shift()) {
    task.signal.throwIfAborted()
    try {
      run.ends.push(await collect(reference))
      run.failures.delete(reference.place_key)
      run.inARow = 0
    } catch (error) {
      if (!(error instanceof MapFailed)) throw leaveRest(run, error)
      deferPlace(task, reference, error, run)
      const down = run.inARow >= IN_A_ROW && VERDICTS[error.fault].task === 'ends_in_a_row'
      if (affectsWholeTask(error) || down) throw leaveRest(run, taskFailure(error))
    }
  }
}

function deferPlace(task: TaskContext, reference: TaskReference, error: MapFailed, run: Run): void {
  task.log.warn({ place_key: reference.place_key, fault: error.fault }, 'a place got no answer; retrying it at the end')
  run.failures.set(reference.place_key, error)
  run.inARow++
  if (!run.secondRound && isCollectedLater(error)) run.deferred.push(reference)
}

// If three exits refuse the same place, the others are not risked for it.
const isCollectedLater = ({ fault, details }: MapFailed): boolean =>
  VERDICTS[fault].place === 'later' && details.everywhere !== true

/** Empties the queue, so that the other workers stop. */
function leaveRest(run: Run, error: unknown): unknown {
  run.waiting.length = 0
  return error
}

// A refusal ends the task; its places are retried later. If only some places are unreadable, that is accepted. If all
// are, the site's layout has changed.
function judge({ ends, failures }: Run): void {
  const [failure] = failures.values()
  const waits = [...failures.values()].find(
    (failure) => VERDICTS[failure.fault].task === 'waits' && (isCollectedLater(failure) || ends.length === 0),
  )
  if (waits) throw taskFailure(waits)
  if (ends.some((ended) => ended === 'collected' || ended === 'dropped')) return
  if (ends.includes('unknown_layout'))
    throw new TaskFailed('layout_changed', 'the places in the answers of the map site have no title or id')
  if (failure && VERDICTS[failure.fault].place === 'later' && ends.length === 0) throw taskFailure(failure)
}

/**
 * What the places of one task share. `withoutPayload`: how many places in a row had only a search payload. `served`:
 * whether the site gave a place by its id.
 */
type PlaceMemory = { endpoints: readonly PlaceEndpoint[]; withoutPayload: number; served: boolean }

/** The end of a place: `collected`, `dropped` because the job excludes it, `unreadable`, or of an `unknown_layout`. */
type PlaceEnd = 'collected' | 'dropped' | 'unreadable' | 'unknown_layout'

/**
 * Collects one place: reads its payload, applies filter and area, adds reviews, images and contacts, and sends it to
 * the sink. Throws MapFailed when the map site returns nothing.
 */
async function collectPlace(
  task: TaskContext,
  memory: PlaceMemory,
  reference: TaskReference,
  sink: Sink,
): Promise<PlaceEnd> {
  const { place_key: reference_key, input: isNamed = false } = reference
  const target = isNamed ? await wholeKeyOf(task, reference) : reference
  const { answer } = await readPlace(task, memory, target, isNamed)
  const { result, missing } = answer
  if (!result.ok) task.drift.collected({})
  else if (missing.length === 0) task.drift.collected(result.place)
  if (!result.ok) {
    task.outcomes.broken++
    task.log.warn({ place_key: reference_key, reason: result.reason }, 'could not read a place')
    if (isNamed) sink.input({ reference_key, status: 'failed' })
    return result.reason === 'no_title' || result.reason === 'no_key' ? 'unknown_layout' : 'unreadable'
  }
  const { place, extra } = result
  if (isNamed && place.place_key !== reference_key) sink.input({ reference_key, place_key: place.place_key })
  const isTrimmed = missing.some((part) => part !== 'reviews')
  const reason = rejectionReason({ ...place, ...(isTrimmed && { limited: ['details'] }) }, task.filter)
  if (reason) {
    task.outcomes[reason]++
    if (isNamed) sink.input({ reference_key, status: reason })
    return 'dropped'
  }
  const finished = await finishPlace(task, target, place, extra, missing)
  if (finished.limited) countLimited(task)
  await sink.place(finished)
  return 'collected'
}

function readPlace(
  task: TaskContext,
  memory: PlaceMemory,
  reference: PlaceUrl,
  isNamed: boolean,
): Promise<Result<PlaceReading>> {
  const { base, parameters } = task
  return ask<PlaceReading>(task, {
    door: 'place',
    byHttp: (session) => missingAs(isNamed, readByHttp(session, base, reference, parameters, memory)),
    inBrowser: async (tab) => {
      const read = await missingAs(isNamed, placeInBrowser(tab, base, reference, parameters))
      memory.served = true
      return read
    },
    missing: ({ missing }) => missing.filter((part) => part !== 'reviews' || parameters.max_reviews > 0).length,
    asksTwice: true,
    verdictOn: ({ result }) => (result.ok ? 'whole' : 'layout'),
  })
}

/** After this many places in a row without a place payload, the task searches first. */
const MAX_WITHOUT_PAYLOAD = 2

/** Reads the place's payload. When the site gives none, reads the place from a search. */
async function readByHttp(
  session: HttpSession,
  base: URL,
  reference: PlaceUrl,
  locale: Locale,
  memory: PlaceMemory,
): Promise<PlaceReading> {
  const search = () => searchForPlace(session, base, reference, locale)
  const searched = memory.withoutPayload >= MAX_WITHOUT_PAYLOAD ? await search() : undefined
  if (searched) return searched
  try {
    const { payload, endpoint } = await placeByHttp(session, base, reference, locale, memory.endpoints)
    if (memory.endpoints[0] !== endpoint) memory.endpoints = memory.endpoints.toReversed()
    memory.withoutPayload = 0
    memory.served = true
    return readPayload(payload)
  } catch (error) {
    const place = error instanceof MapFailed && mayUseSearchInstead(error) ? await search() : undefined
    if (!place) throw error
    memory.withoutPayload++
    return place
  }
}
