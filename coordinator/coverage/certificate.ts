import { heightOf } from '@placefleet/shared/cell'
import type { Coverage } from '@placefleet/shared/coverage'
import type { AuditedCellDocument, CellDocument } from './documents.ts'
import { estimateTotal } from './estimate-total.ts'
import { isBounded, undivided } from './sample.ts'

/** A job as its certificate needs it. */
export type CertifiedJob = {
  coverage: Coverage
  /** Stored places. */
  found: number
  /** Different places that its searches listed, those that it dropped afterwards included. */
  listed: number
  /** Whether it drops places by their website after listing them. */
  isFiltered: boolean
  /** Whether it ended at `max_results` without judging, or without counting, all places that it listed. */
  isCut: boolean
  hasEnded: boolean
}

/** How complete a job is. */
export type Certificate = {
  coverage: Coverage
  cells: {
    searched: number
    cut: number
    blocked: number
    unsearched: number
    smallest_cut_metres?: number
  }
  found: number
  estimate?: { total: number; low: number; high: number; confidence: 0.95; method: string }
}

/** States how completely a job searched its area, and with an audit, how many places there are. */
export function certificateOf(
  job: CertifiedJob,
  cells: readonly CellDocument[],
  audited: readonly AuditedCellDocument[],
): Certificate {
  const count = (...states: CellDocument['state'][]) => cells.filter(({ state }) => states.includes(state)).length
  const stillCut = undivided(cells)
    .filter(isBounded)
    .filter(({ state }) => state === 'cut')
  const smallest = Math.min(...stillCut.map(({ bounds }) => heightOf(bounds)))
  const estimate = estimateOf(job, cells, audited)
  return {
    coverage: job.coverage,
    cells: {
      searched: count('searched', 'cut'),
      cut: count('cut'),
      blocked: count('blocked'),
      unsearched: count('unsearched'),
      ...(stillCut.length > 0 && { smallest_cut_metres: Math.round(smallest) }),
    },
    found: job.found,
    ...(estimate && { estimate }),
  }
}

function estimateOf(
  { found, listed, hasEnded, isFiltered, isCut }: CertifiedJob,
  cells: readonly CellDocument[],
  audited: readonly AuditedCellDocument[],
): Certificate['estimate'] {
  if (!hasEnded || audited.length === 0 || isCut) return undefined
  const estimate = estimateTotal(audited, cells, Math.max(listed, found))
  if (!estimate) return undefined
  const share = isFiltered && listed > 0 ? found / listed : 1
  const rounded = (places: number) => Math.max(found, Math.round(places * share))
  const { total, low, high } = estimate
  return {
    total: rounded(total),
    low: Math.max(found, Math.floor(low * share)),
    high: Math.max(found, Math.ceil(high * share)),
    confidence: 0.95,
    method: methodOf(cells, audited),
  }
}

const CHAPMAN = 'Chapman capture-recapture, transformed logit interval'

function methodOf(cells: readonly CellDocument[], audited: readonly AuditedCellDocument[]): string {
  if (!audited.some(({ bounds }) => bounds)) return `${CHAPMAN}; one search again in another wording, no area`
  const sampled = `${CHAPMAN}; ${audited.length} of ${undivided(cells).length} cells searched again`
  const dark = undivided(cells).some(({ state }) => state !== 'searched')
  return dark ? `${sampled}; unsearched cells at most as dense as the densest searched one` : sampled
}
