import type { SearchedCell as CellMessage, TaskEvent } from '@placefleet/proto/fleet'
import type { SearchedCell } from '@placefleet/shared/coverage'
import type { InputReport } from '@placefleet/shared/named-place'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import { encodePlace, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'

type End = NonNullable<TaskEvent['end']>

/** References, or a place with the outcomes of the task's visits to websites so far. */
type Find = { place: Place; visits?: WebsiteVisits | undefined } | { references: PlaceReference[] }

/** The most places and references without an acknowledgement. Above this, collecting waits. */
const MAX_WAITING = 60

/** The most events in flight. While they are, places gather for the next event. */
const MAX_IN_FLIGHT = 2

/** The most places and bytes of an event: a page of a search in fast mode. A single place may exceed these bytes. */
const MAX_PLACES = 20
const MAX_EVENT_BYTES = 512 * 1024

/** How many references are sent without waiting for others. */
const MANY_REFERENCES = 40

/**
 * The places and references of an attempt that are not acknowledged yet. It lives as long as the attempt, across
 * streams. After a reconnect it resends them.
 */
export type Outbox = {
  /**
   * Adds a place or reference. Waits while too much is unacknowledged, which slows collecting down. Throws the signal's
   * reason once collecting was stopped.
   */
  add(find: Find): Promise<void>
  /** Adds searched cells. They travel once all places and references that were added before are in events. */
  addCells(searched: readonly SearchedCell[]): void
  /** Adds a report about a place that the user named. It travels with the next event. */
  addInput(report: InputReport): void
  /** Adds the end of the task, after all places and references. */
  finish(end: End): void
  /** Drops the events up to this number: the coordinator has stored them. */
  acknowledge(sequence: bigint): void
  /**
   * When to send the next event. `now`: for the first references of the task, when an event is full, at the end of the
   * task, or while `add` waits for room. Else by what it holds: the first places of the task, more references, or more
   * places.
   */
  due(): 'now' | 'first' | 'references' | 'places' | undefined
  /** Returns the next event for the current stream; undefined when there is none. */
  next(): TaskEvent | undefined
  /** Starts again on a new stream, after the last event that the coordinator has stored. */
  rewind(acknowledged: bigint): void
  /** Whether the end was added and everything is acknowledged. */
  delivered(): boolean
  /** Calls `changed` whenever an event may be ready to send. */
  onChange(changed: () => void): void
}

/** Creates an empty outbox. When the signal aborts, waiting calls of `add` throw. */
export function createOutbox(signal: AbortSignal): Outbox {
  const pending = createPendingPlaces()
  const cells = createCells()
  const inputs: InputReport[] = []
  let inFlight: TaskEvent[] = []
  let [sent, last] = [0, 0n]
  let changed: () => void = () => undefined
  const waiters = createWaiters(signal)
  const waiting = () => pending.size() + inFlight.reduce((sum, event) => sum + sizeOf(event), 0)
  return {
    async add(find) {
      await waiters.until(() => waiting() < MAX_WAITING)
      pending.add(find)
      changed()
    },
    addInput: (report) => void inputs.push(report),
    addCells: (searched) => cells.add(searched, pending.added()),
    finish(end) {
      pending.finish(end)
      changed()
    },
    acknowledge(sequence) {
      const before = inFlight.length
      inFlight = inFlight.filter((event) => event.sequence > sequence)
      sent = Math.max(0, sent - (before - inFlight.length))
      waiters.wake()
      changed()
    },
    due() {
      if (pending.isUrgent(last === 0n) || waiting() >= MAX_WAITING) return 'now'
      if (pending.size() === 0) return undefined
      if (!pending.hasOnlyPlaces()) return 'references'
      return last === 0n ? 'first' : 'places'
    },
    next() {
      if (sent >= inFlight.length) {
        const packed = inFlight.length < MAX_IN_FLIGHT ? pending.pack() : undefined
        if (!packed) return undefined
        last += 1n
        const cellsToSend = cells.take(pending.added() - pending.size())
        inFlight.push({
          sequence: last,
          ...packed,
          ...(cellsToSend.length > 0 && { cells: { cells: cellsToSend } }),
          ...(inputs.length > 0 && { inputs: { inputs: inputs.splice(0) } }),
        })
      }
      return inFlight[sent++]
    },
    rewind(acknowledged) {
      this.acknowledge(acknowledged)
      sent = 0
      changed()
    },
    delivered: () => pending.isPacked() && inFlight.length === 0,
    onChange(callback) {
      changed = callback
    },
  }
}

/**
 * Creates the calls that wait for a condition and check it again. `until` throws the signal's reason once it aborts.
 */
function createWaiters(signal: AbortSignal) {
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resume of waiting.splice(0)) resume()
  }
  signal.addEventListener('abort', wake, { once: true })
  const until = async (isTrue: () => boolean) => {
    while (!isTrue() && !signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve))
    signal.throwIfAborted()
  }
  return { wake, until }
}

/**
 * Creates the searched cells that are in no event yet. A cell counts as searched once it is in one, so it waits until
 * the places that were added before it are in events.
 */
function createCells() {
  const cells: { after: number; cell: CellMessage }[] = []
  return {
    /** @param after how many places and references were added before. */
    add(searched: readonly SearchedCell[], after: number): void {
      for (const cell of searched) cells.push({ after, cell: cellMessage(cell) })
    },
    /** Takes the cells whose places are among the first `packed` places and references. */
    take: (packed: number): CellMessage[] =>
      cells.splice(0, cells.filter(({ after }) => after <= packed).length).map(({ cell }) => cell),
  }
}

/** Creates the places and references that are in no event yet, and the end of the task, which comes last. */
function createPendingPlaces() {
  const places: EncodedPlace[] = []
  const references: PlaceReference[] = []
  let end: End | undefined
  let ended = false
  let added = 0
  const takeContent = (): TaskEvent['content'] => {
    if (references.length > 0) return { $case: 'references', value: { references: references.splice(0) } }
    if (places.length === 0) return undefined
    const fit = places.splice(0, fitting(places))
    return { $case: 'places', value: { places: fit.map(({ bytes }) => bytes), website_visits: fit.at(-1)?.visits } }
  }
  return {
    add(find: Find) {
      added += 'place' in find ? 1 : find.references.length
      if ('place' in find) places.push({ bytes: encoded(find.place), visits: find.visits })
      else references.push(...find.references)
    },
    finish(how: End) {
      end = how
      ended = true
    },
    size: () => places.length + references.length,
    hasOnlyPlaces: () => references.length === 0,
    /** How many places and references were added so far. */
    added: () => added,
    /** Whether to send without waiting for more: the first references, a full event, or the end. */
    isUrgent: (isFirst: boolean) =>
      ended ||
      (isFirst && references.length > 0) ||
      places.length >= MAX_PLACES ||
      references.length >= MANY_REFERENCES,
    /** Removes and returns what the next event says. Undefined when nothing waits. */
    pack(): Pick<TaskEvent, 'content' | 'end'> | undefined {
      const content = takeContent()
      const isLast = places.length + references.length === 0 && (!content || end?.$case === 'finished')
      const last = isLast ? end : undefined
      if (last) end = undefined
      return content || last ? { ...(content && { content }), ...(last && { end: last }) } : undefined
    },
    /** Whether the task has ended and all of it is in events. */
    isPacked: () => ended && end === undefined,
  }
}

/** An encoded place, with the visits up to it. */
type EncodedPlace = { bytes: Buffer; visits?: WebsiteVisits | undefined }

/** Encodes a place. One that is too large loses its last reviews. */
function encoded(place: Place): Buffer {
  const bytes = encodePlace(place)
  const { user_reviews_extended: reviews = [] } = place
  if (bytes.length <= MAX_PLACE_BYTES || reviews.length === 0) return bytes
  return encoded({ ...place, user_reviews_extended: reviews.slice(0, Math.floor(reviews.length / 2)) })
}

/** Returns how many of the first places fit into one event. */
function fitting(places: EncodedPlace[]): number {
  let bytes = 0
  const tooMany = places.findIndex((packing, index) => {
    bytes += packing.bytes.length
    return index === MAX_PLACES || (index > 0 && bytes > MAX_EVENT_BYTES)
  })
  return tooMany < 0 ? places.length : tooMany
}

const cellMessage = ({ bounds, state, places, audit, place_keys, look }: SearchedCell): CellMessage => ({
  ...(bounds && { bounds }),
  state,
  places,
  audit: audit ?? '',
  place_keys,
  look,
})

function sizeOf({ content }: TaskEvent): number {
  if (content?.$case === 'places') return content.value.places.length
  return content?.$case === 'references' ? content.value.references.length : 0
}
