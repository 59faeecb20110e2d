import type { PlaceReference } from '@placefleet/shared/place'
import { MapFailed } from '../maps/session/fault.ts'
import { collectPlace, type PlaceEnd, type PlaceMemory } from './collect-place.ts'
import type { Sink } from './sink.ts'
import type { TaskContext } from './task-context.ts'
import { affectsWholeTask, countFault, TaskFailed, taskFailure } from './task-failed.ts'

/** Places at a time within one task; more would only make the site suspicious. */
const AT_ONCE = 3
/** Places in a row that the site does not serve, after which it is believed to be down. */
const IN_A_ROW = 3

/** Places put off before the site itself is suspected of holding something back. */
const MAX_DEFERRED = 3

type Run = {
  readonly ends: PlaceEnd[]
  readonly failures: MapFailed[]
  readonly waiting: PlaceReference[]
  /** To be tried in a second round: undecided ones, and those that were not given. */
  readonly deferred: PlaceReference[]
  secondRound: boolean
  inARow: number
}

/**
 * Collects the places of a task that are not stored yet, a few at a time, each handed over as soon as it is done. A place
 * that gives nothing is counted and tried once more at the end. Throws TaskFailed when the site blocks, is down, or answers in a form
 * that is not known, so that the rest is tried again later.
 */
export async function collectPlaces(
  task: TaskContext,
  references: readonly PlaceReference[],
  sink: Sink,
): Promise<void> {
  const waiting = references.filter(({ place_key }) => !task.stored.has(place_key))
  const memory: PlaceMemory = { endpoints: ['request', 'page'], languageIgnored: false }
  const run: Run = { ends: [], failures: [], waiting, deferred: [], secondRound: false, inARow: 0 }
  await inParallel(task, run, (reference) =>
    collectPlace(task, memory, reference, sink, () => run.deferred.length < MAX_DEFERRED && run.waiting.length > 0),
  )
  run.waiting.push(...run.deferred.splice(0))
  run.secondRound = true
  await inParallel(task, run, (reference) => collectPlace(task, memory, reference, sink, () => false))
  judge(run)
}

type Collect = (reference: PlaceReference) => Promise<PlaceEnd>

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
      const end = await collect(reference)
      if (end === 'undecided') run.deferred.push(reference)
      else run.ends.push(end)
      run.inARow = 0
    } catch (error) {
      if (!(error instanceof MapFailed)) throw leaveRest(run, error)
      deferPlace(task, reference, error, run)
      const down = run.inARow >= IN_A_ROW && isSiteDown(error)
      if (affectsWholeTask(error) || down) throw leaveRest(run, taskFailure(error))
    }
  }
}

function deferPlace(task: TaskContext, reference: PlaceReference, error: MapFailed, run: Run): void {
  task.log.warn({ place_key: reference.place_key, fault: error.fault }, 'a place was not given')
  countFault(task.outcomes, error)
  run.inARow++
  if (run.secondRound || error.fault === 'not_found') run.failures.push(error)
  else run.deferred.push(reference)
}

/** Leaves nothing to the other workers. */
function leaveRest(run: Run, error: unknown): unknown {
  run.waiting.length = 0
  return error
}

function isSiteDown({ fault }: MapFailed): boolean {
  return fault === 'unavailable' || fault === 'network' || fault === 'timeout'
}

// Some unreadable places are the places' own; nothing but unreadable ones is the site's.
function judge({ ends, failures }: Run): void {
  const [failure] = failures
  if (ends.some((ended) => ended === 'collected' || ended === 'dropped')) return
  if (ends.includes('unknown_layout')) throw new TaskFailed('layout_changed', 'places have no title or id any more')
  if (failure && failure.fault !== 'not_found' && ends.length === 0) throw taskFailure(failure)
}
