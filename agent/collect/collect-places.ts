import type { MissedInput } from '@placefleet/shared/named-place'
import { rejectionReason } from '@placefleet/shared/place-filter'
import type { TaskReference } from '@placefleet/shared/protocol'
import { placeInBrowser } from '../maps/place/browser.ts'
import { mayUseSearchInstead, placeByHttp } from '../maps/place/http.ts'
import { type PlaceReading, readPayload } from '../maps/place/payload/payload.ts'
import { ask, type Result } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import type { HttpSession } from '../maps/requests/map-request.ts'
import { VERDICTS } from '../maps/requests/verdicts.ts'
import { searchForPlace } from '../maps/search/pages.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import { finishPlace } from './finish-place.ts'
import { wholeKeyOf, whyUnserved } from './named-places.ts'
import type { Sink, TaskContext } from './task.ts'
import { affectsWholeTask, countFault, countLimited, TaskFailed, taskFailure } from './task-failed.ts'

/** Places in progress at once. Most of that time is for websites: the pace of the exit limits the site's requests. */
const AT_ONCE = 3
/** After this many places in a row without an answer, the site counts as down. */
const IN_A_ROW = 3

/** The collection of one task's places, and what its places share. */
type Run = {
  readonly task: TaskContext
  readonly sink: Sink
  readonly ends: PlaceEnd[]
  readonly failures: Map<string, MapFailed>
  inARow: number
  /** How many places in a row had only a search payload. */
  withoutPayload: number
  /** Whether the site gave a place by its id. */
  isServed: boolean
}

/**
 * Collects the places of a task that are not stored yet, and sends each as soon as it is done. A place without an
 * answer is retried once at the end, and counted once. Throws TaskFailed when the other places should be tried again
 * later.
 */
export async function collectPlaces(
  task: TaskContext,
  references: readonly TaskReference[],
  sink: Sink,
): Promise<void> {
  const unstored = references.filter(({ place_key }) => !task.stored.has(place_key))
  const run: Run = { task, sink, ends: [], failures: new Map(), inARow: 0, withoutPayload: 0, isServed: false }
  try {
    await collectEach(run, await collectEach(run, unstored))
    await confirmMissing(run)
    judge(run)
  } finally {
    for (const failure of run.failures.values()) countFault(task.outcomes, failure)
    reportMissed(references, run)
  }
}

/** A place counts as missing only where the site gives places. Elsewhere its answer is unrecognised. */
async function confirmMissing({ task, failures, isServed }: Run): Promise<void> {
  const missing = [...failures].filter(([, { fault }]) => fault === 'not_found')
  if (missing.length === 0 || isServed) return
  const unserved = await whyUnserved(task)
  if (unserved) for (const [place_key] of missing) failures.set(place_key, unserved)
}

function reportMissed(references: readonly TaskReference[], { failures, sink }: Run): void {
  for (const { place_key, input } of references) {
    const failure = failures.get(place_key)
    if (input && failure) sink.input({ reference_key: place_key, status: statusOf(failure) })
  }
}

function statusOf({ fault }: MapFailed): MissedInput {
  if (fault === 'not_found') return 'not_found'
  return ['blocked', 'consent'].includes(VERDICTS[fault].outcome ?? '') ? 'blocked' : 'failed'
}

/** Returns the places without an answer that are worth another try. */
async function collectEach(run: Run, references: readonly TaskReference[]): Promise<TaskReference[]> {
  const { task } = run
  const waiting = [...references]
  const deferred: TaskReference[] = []
  const work = async () => {
    for (let reference = waiting.shift(); reference; reference = waiting.shift()) {
      task.signal.throwIfAborted()
      try {
        run.ends.push(await collectPlace(run, reference))
        run.failures.delete(reference.place_key)
        run.inARow = 0
      } catch (error) {
        const ending = error instanceof MapFailed ? noteFailure(run, reference, error) : error
        if (ending) {
          waiting.length = 0 // the other workers stop
          throw ending
        }
        if (error instanceof MapFailed && isCollectedLater(error)) deferred.push(reference)
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  task.signal.throwIfAborted()
  const failed = workers.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return deferred
}

function noteFailure(run: Run, { place_key }: TaskReference, failure: MapFailed): TaskFailed | undefined {
  const { fault } = failure
  run.task.log.warn({ place_key, fault }, 'a place got no answer; retrying it at the end')
  run.failures.set(place_key, failure)
  run.inARow++
  const isDown = run.inARow >= IN_A_ROW && VERDICTS[fault].task === 'ends_in_a_row'
  return affectsWholeTask(failure) || isDown ? taskFailure(failure) : undefined
}

// If three exits refuse the same place, the others are not risked for it.
const isCollectedLater = ({ fault, details }: MapFailed): boolean =>
  fault !== 'not_found' && details.everywhere !== true

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
  if (failure && failure.fault !== 'not_found' && ends.length === 0) throw taskFailure(failure)
}

/** The end of a place: `collected`, `dropped` because the job excludes it, `unreadable`, or of an `unknown_layout`. */
type PlaceEnd = 'collected' | 'dropped' | 'unreadable' | 'unknown_layout'

/** Collects one place and sends it to the sink. Throws MapFailed when the map site returns nothing. */
async function collectPlace(run: Run, reference: TaskReference): Promise<PlaceEnd> {
  const { task, sink } = run
  const { place_key: reference_key, input: isNamed = false } = reference
  const target = isNamed ? await wholeKeyOf(task, reference) : reference
  const { answer } = await readPlace(run, target, isNamed)
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

function readPlace(run: Run, place: PlaceUrl, isNamed: boolean): Promise<Result<PlaceReading>> {
  const { max_reviews } = run.task.parameters
  return ask<PlaceReading>(run.task, {
    door: 'place',
    byHttp: (session) => readByHttp(run, session, place, isNamed),
    async inBrowser(tab) {
      const read = await placeInBrowser(tab, place, isNamed)
      run.isServed = true
      return read
    },
    missing: ({ missing }) => missing.filter((part) => part !== 'reviews' || max_reviews > 0).length,
    asksTwice: true,
    verdictOn: ({ result }) => (result.ok ? 'whole' : 'layout'),
  })
}

/** After this many places in a row without a place payload, the task searches first. */
const MAX_WITHOUT_PAYLOAD = 2

async function readByHttp(run: Run, session: HttpSession, place: PlaceUrl, isNamed: boolean): Promise<PlaceReading> {
  const search = () => searchForPlace(session, place)
  const listed = run.withoutPayload >= MAX_WITHOUT_PAYLOAD ? await search() : undefined
  if (listed) return listed
  try {
    const payload = await placeByHttp(session, place, isNamed)
    run.withoutPayload = 0
    run.isServed = true
    return readPayload(payload)
  } catch (error) {
    const listed = error instanceof MapFailed && mayUseSearchInstead(error) ? await search() : undefined
    if (!listed) throw error
    run.withoutPayload++
    return listed
  }
}
