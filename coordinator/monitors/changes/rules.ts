import { isDeepStrictEqual } from 'node:util'
import type { Facts } from '../../known-places/facts.ts'
import { chanceOfMissing, type History, type Prior, SUSPICIOUS } from './detection.ts'

/** The compared fields of a place; with the rating and the number of reviews when the monitor reports their changes. */
export type Watched = Facts & { rating?: number | undefined; review_count?: number | undefined }

/** A place as a monitor knows it. */
export type WatchedPlace = History & {
  state: 'present' | 'gone'
  /** Whole runs in a row that missed it. They count as missed once it is seen again. */
  streak: number
  /** Its fields when it was last stored. Absent: no run stored it. */
  facts?: Watched
  /** Fields that the last run did not show. A field counts as removed when two runs in a row leave it out. */
  fading?: string[]
  /** Missing it by chance is so unlikely that the next run looks at it directly. */
  suspect?: true
}

/**
 * The finding of a run for a place. `stored`: its fields. `listed`: a search listed it, and it was not collected again.
 * `looked`: only the direct look could find it; with `facts` the place still exists. `absent`: not found.
 */
export type Finding =
  | { kind: 'stored'; facts: Watched; closed: boolean }
  | { kind: 'listed' }
  | { kind: 'looked'; facts?: Watched; closed: boolean }
  | { kind: 'absent' }

export type ChangedFields = Record<string, { before?: unknown; after?: unknown }>

/** A reportable change of a place. */
export type Change = { type: 'new' | 'gone' | 'back' } | { type: 'changed'; fields: ChangedFields }
export type ChangeType = Change['type']

/** A place after a run, and what to report. Place undefined: nothing is known of it. */
export type Assessed = { place: WatchedPlace | undefined; change?: Change }

export type Circumstances = {
  prior: Prior
  /** Whether the monitor knows its area, so that a place never seen before is a new one. */
  knowsArea: boolean
  /** Whether the run searched everything, so that not finding a place means something. */
  whole: boolean
}

/** Decides what a finding means for a place. It is pure, so every coordinator decides the same. */
export function assess(place: WatchedPlace | undefined, finding: Finding, circumstances: Circumstances): Assessed {
  if (!place) return firstSeen(finding, circumstances)
  if (place.state === 'gone') return ofGone(place, finding)
  switch (finding.kind) {
    case 'absent':
      return { place: circumstances.whole ? missedAgain(place, circumstances.prior) : place }
    case 'listed':
      return { place: foundAgain(place) }
    case 'looked':
      return finding.facts && !finding.closed ? compared(lookedAt(place), finding.facts) : gone(place)
    case 'stored':
      return finding.closed ? gone(place) : compared(foundAgain(place), finding.facts)
  }
}

const NEVER_SEEN: WatchedPlace = { state: 'present', found: 0, missed: 0, streak: 0 }

function firstSeen(finding: Finding, { knowsArea }: Circumstances): Assessed {
  if (finding.kind === 'listed') return { place: NEVER_SEEN }
  if (finding.kind !== 'stored') return { place: undefined }
  const place: WatchedPlace = { ...NEVER_SEEN, state: finding.closed ? 'gone' : 'present', facts: finding.facts }
  return { place, ...(knowsArea && !finding.closed && { change: { type: 'new' } }) }
}

/**
 * Assesses a place that was gone. Only its own page shows that it is open again, because searches also list closed
 * places.
 */
function ofGone(place: WatchedPlace, finding: Finding): Assessed {
  if (finding.kind !== 'stored' || finding.closed) return { place }
  return { place: { ...place, state: 'present', streak: 0, facts: finding.facts }, change: { type: 'back' } }
}

function gone({ suspect: _, ...place }: WatchedPlace): Assessed {
  return { place: { ...place, state: 'gone', streak: 0 }, change: { type: 'gone' } }
}

const foundAgain = ({ suspect: _, ...place }: WatchedPlace): WatchedPlace => ({
  ...place,
  found: place.found + 1,
  missed: place.missed + place.streak,
  streak: 0,
})

/** Returns a place that the direct look found. The searches missed it, so it counts as missed. */
const lookedAt = ({ suspect: _, ...place }: WatchedPlace): WatchedPlace => ({
  ...place,
  missed: place.missed + place.streak,
  streak: 0,
})

function missedAgain(place: WatchedPlace, prior: Prior): WatchedPlace {
  const streak = place.streak + 1
  const isSuspect = chanceOfMissing(place, streak, prior) < SUSPICIOUS
  return { ...place, streak, ...(isSuspect && { suspect: true }) }
}

function compared({ fading: faded = [], ...place }: WatchedPlace, facts: Watched): Assessed {
  const before: Record<string, unknown> = place.facts ?? facts
  const after: Record<string, unknown> = { ...facts }
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
  const next: WatchedPlace = { ...place, facts: after, ...(fading.length > 0 && { fading }) }
  return { place: next, ...(Object.keys(fields).length > 0 && { change: { type: 'changed', fields } }) }
}
