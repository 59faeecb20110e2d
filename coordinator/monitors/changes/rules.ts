import { isDeepStrictEqual } from 'node:util'
import type { ComparedFields } from '../../known-places/compared-fields.ts'

/** The compared fields of a place; with the rating and the number of reviews when the monitor reports their changes. */
export type Watched = ComparedFields & { rating?: number | undefined; review_count?: number | undefined }

/** A place as a monitor knows it. */
export type WatchedPlace = {
  state: 'present' | 'gone'
  /** Whole runs in a row that missed it. Absent: the last one found it. */
  missed?: number
  /** Its fields when it was last stored. Absent: no run stored it. */
  fields?: Watched
  /** Fields that the last run did not show. A field counts as removed when two runs in a row leave it out. */
  fading?: string[]
}

/**
 * The finding of a run for a place. `stored`: its fields. `listed`: a search listed it, and it was not collected again.
 * `vanished`: a probe did not find it. `absent`: no search found it, and the run did not probe it.
 */
export type Finding =
  | { kind: 'stored'; fields: Watched }
  | { kind: 'listed' }
  | { kind: 'vanished' }
  | { kind: 'absent' }

export type ChangedFields = Record<string, { before?: unknown; after?: unknown }>

/**
 * A reportable change of a place. A place that is gone or back has `closed` before and after, if that is the reason.
 */
export type Change =
  | { type: 'new' }
  | { type: 'gone' | 'back'; fields?: ChangedFields }
  | { type: 'changed'; fields: ChangedFields }
export type ChangeType = Change['type']

/** A place after a run, and what to report. Place undefined: nothing is known of it. */
export type Assessed = { place: WatchedPlace | undefined; change?: Change }

/** What a run says about the places that it did not find, or found first. */
export type Circumstances = {
  /** Whether a place that was never seen before is a new one. */
  knowsArea: boolean
  /** Whether the run searched everything, so that not finding a place means something. */
  whole: boolean
}

/** Decides what a finding means for a place. It is pure, so every coordinator decides the same. */
export function assess(
  place: WatchedPlace | undefined,
  finding: Finding,
  { knowsArea, whole }: Circumstances,
): Assessed {
  if (!place) return firstSeen(finding, knowsArea)
  if (place.state === 'gone') return ofGone(place, finding)
  switch (finding.kind) {
    case 'absent':
      return { place: whole ? { ...place, missed: (place.missed ?? 0) + 1 } : place }
    case 'listed':
      return { place: foundAgain(place) }
    case 'vanished':
      return gone(place)
    case 'stored':
      return isClosed(finding.fields) ? gone(place, finding.fields) : compared(foundAgain(place), finding.fields)
  }
}

/** A place that is closed for a time is still there. */
const isClosed = ({ closed }: Watched): boolean => closed === 'permanently'

function firstSeen(finding: Finding, knowsArea: boolean): Assessed {
  if (finding.kind === 'listed') return { place: { state: 'present' } }
  if (finding.kind !== 'stored') return { place: undefined }
  if (isClosed(finding.fields)) return { place: { state: 'gone', fields: finding.fields } }
  return { place: { state: 'present', fields: finding.fields }, ...(knowsArea && { change: { type: 'new' } }) }
}

/**
 * Assesses a place that was gone. Only its own page shows that it is open again, because searches also list closed
 * places.
 */
function ofGone(place: WatchedPlace, finding: Finding): Assessed {
  if (finding.kind !== 'stored' || isClosed(finding.fields)) return { place }
  const { fields } = finding
  return { place: { ...place, state: 'present', fields }, change: { type: 'back', ...reopening(place, fields) } }
}

/** A place that is gone. `fields`: its fields, when its page says that it is closed permanently. */
function gone(place: WatchedPlace, fields?: Watched): Assessed {
  const known = { ...foundAgain(place), state: 'gone' as const }
  if (!fields) return { place: known, change: { type: 'gone' } }
  return { place: { ...known, fields }, change: { type: 'gone', fields: closedBeforeAndAfter(place, fields) } }
}

const reopening = (place: WatchedPlace, after: Watched): { fields?: ChangedFields } =>
  place.fields && isClosed(place.fields) ? { fields: closedBeforeAndAfter(place, after) } : {}

const closedBeforeAndAfter = ({ fields }: WatchedPlace, after: Watched): ChangedFields => ({
  closed: { before: fields?.closed, after: after.closed },
})

/** Returns the same object when the last run found the place as well, so that nothing has to be saved. */
function foundAgain(place: WatchedPlace): WatchedPlace {
  if (place.missed === undefined) return place
  const { missed: _, ...seenAgain } = place
  return seenAgain
}

function compared(place: WatchedPlace, seen: Watched): Assessed {
  const { fading: faded = [], ...known } = place
  const before: Record<string, unknown> = place.fields ?? seen
  const after: Record<string, unknown> = { ...seen }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const fields: ChangedFields = {}
  const fading: string[] = []
  for (const name of names) {
    if (isDeepStrictEqual(before[name], after[name])) continue
    if (after[name] === undefined && !faded.includes(name)) {
      fading.push(name)
      after[name] = before[name]
    } else {
      fields[name] = { before: before[name], after: after[name] }
    }
  }
  const isChanged = Object.keys(fields).length > 0
  if (place.fields && !place.fading && fading.length === 0 && !isChanged) return { place }
  const next: WatchedPlace = { ...known, fields: after, ...(fading.length > 0 && { fading }) }
  return { place: next, ...(isChanged && { change: { type: 'changed', fields } }) }
}
