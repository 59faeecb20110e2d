import type { SearchedCell as CellMessage, TaskEvent } from '@placefleet/proto/fleet'
import type { SearchedCell } from '@placefleet/shared/coverage'
import type { InputReport } from '@placefleet/shared/named-place'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import { encodePlace, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { abortable } from '@placefleet/shared/timing'
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
 * streams, and resends them after a reconnect.
 */
export type Outbox = {
  /** Adds a find. Waits while too much is unacknowledged. Throws the signal's reason once collecting was stopped. */
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
  const places: EncodedPlace[] = []
  const references: PlaceReference[] = []
  const inputs: InputReport[] = []
  // Each with how many places and references were added before: a cell counts as searched once it is in an event.
  const cells: { after: number; cell: CellMessage }[] = []
  let end: End | undefined
  let [isEnded, added, last, sent] = [false, 0, 0n, 0]
  let inFlight: TaskEvent[] = []
  let changed: () => void = () => undefined
  let acknowledged = Promise.withResolvers<void>()

  const pending = () => places.length + references.length
  const isFull = () => inFlight.reduce((sum, event) => sum + sizeOf(event), pending()) >= MAX_WAITING
  const takeContent = (): TaskEvent['content'] => {
    if (references.length > 0) return { $case: 'references', value: { references: references.splice(0) } }
    if (places.length === 0) return undefined
    const fit = places.splice(0, fitting(places))
    return { $case: 'places', value: { places: fit.map(({ bytes }) => bytes), website_visits: fit.at(-1)?.visits } }
  }
  const pack = (): TaskEvent | undefined => {
    const content = takeContent()
    const isLast = pending() === 0 && (!content || end?.$case === 'finished')
    const ending = isLast ? end : undefined
    if (!content && !ending) return undefined
    if (ending) end = undefined
    last += 1n
    const packed = added - pending()
    const searched = cells.splice(0, cells.filter(({ after }) => after <= packed).length).map(({ cell }) => cell)
    return {
      sequence: last,
      ...(content && { content }),
      ...(ending && { end: ending }),
      ...(searched.length > 0 && { cells: { cells: searched } }),
      ...(inputs.length > 0 && { inputs: { inputs: inputs.splice(0) } }),
    }
  }
  return {
    async add(find) {
      while (isFull()) await abortable(acknowledged.promise, signal)
      signal.throwIfAborted()
      added += 'place' in find ? 1 : find.references.length
      if ('place' in find) places.push({ bytes: encoded(find.place), visits: find.visits })
      else references.push(...find.references)
      changed()
    },
    addInput: (report) => void inputs.push(report),
    addCells(searched) {
      for (const cell of searched) cells.push({ after: added, cell: { ...cell, audit: cell.audit ?? '' } })
    },
    finish(how) {
      end = how
      isEnded = true
      changed()
    },
    acknowledge(sequence) {
      const before = inFlight.length
      inFlight = inFlight.filter((event) => event.sequence > sequence)
      sent = Math.max(0, sent - (before - inFlight.length))
      acknowledged.resolve()
      acknowledged = Promise.withResolvers()
      changed()
    },
    due() {
      const isFirst = last === 0n
      const hasFullEvent = places.length >= MAX_PLACES || references.length >= MANY_REFERENCES
      if (isEnded || hasFullEvent || (isFirst && references.length > 0) || isFull()) return 'now'
      if (references.length > 0) return 'references'
      return places.length === 0 ? undefined : isFirst ? 'first' : 'places'
    },
    next() {
      if (sent >= inFlight.length) {
        const event = inFlight.length < MAX_IN_FLIGHT ? pack() : undefined
        if (!event) return undefined
        inFlight.push(event)
      }
      return inFlight[sent++]
    },
    rewind(stored) {
      this.acknowledge(stored)
      sent = 0
      changed()
    },
    delivered: () => isEnded && end === undefined && inFlight.length === 0,
    onChange(callback) {
      changed = callback
    },
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

function sizeOf({ content }: TaskEvent): number {
  if (content?.$case === 'places') return content.value.places.length
  return content?.$case === 'references' ? content.value.references.length : 0
}
