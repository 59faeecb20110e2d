import { heightOf } from '@placefleet/shared/cell'
import type { CellState, Coverage } from '@placefleet/shared/coverage'
import type { AuditedCellDocument, SeenCell } from './documents.ts'
import { createUnsearched, estimateTotal, type UnsearchedPlaces } from './estimate-total.ts'
import type { AreaEstimate } from './exhaustion.ts'
import { isBounded } from './sample.ts'
import type { CoverageCertificate } from './schema.ts'

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
  /** How many places its area has, if it exhausted it. */
  exhausted?: AreaEstimate | undefined
}

/** What the cells of a job come to. */
type CellSums = {
  counts: Record<CellState, number>
  /** Undivided cells, and whether each of them was searched whole. */
  undivided: number
  whole: boolean
  /** The height of the smallest cell that is still cut. */
  smallestCut: number | undefined
  unsearched: UnsearchedPlaces
}

/** Sums the cells of a job, one at a time. */
export async function sumCells(cells: AsyncIterable<SeenCell>): Promise<CellSums> {
  const counts = { searched: 0, cut: 0, blocked: 0, unsearched: 0 }
  const unsearched = createUnsearched()
  let [undivided, whole] = [0, true]
  let smallestCut: number | undefined
  for await (const cell of cells) {
    counts[cell.state] += 1
    if (cell.divided) continue
    undivided += 1
    if (cell.state !== 'searched') whole = false
    if (!isBounded(cell)) continue
    unsearched.add(cell)
    if (cell.state === 'cut') smallestCut = Math.min(smallestCut ?? heightOf(cell.bounds), heightOf(cell.bounds))
  }
  return { counts, undivided, whole, smallestCut, unsearched: unsearched.places() }
}

/** States how completely a job searched its area, and with an audit, how many places there are. */
export function certificateOf(
  job: CertifiedJob,
  cells: CellSums,
  audited: readonly AuditedCellDocument[],
): CoverageCertificate {
  const { counts, smallestCut } = cells
  const { exhausted } = job
  const estimate = exhausted
    ? { ...exhausted, confidence: 0.95 as const, method: SEARCHED_AGAIN }
    : estimateOf(job, cells, audited)
  return {
    coverage: job.coverage,
    cells: {
      searched: counts.searched + counts.cut,
      cut: counts.cut,
      blocked: counts.blocked,
      unsearched: counts.unsearched,
      ...(smallestCut !== undefined && { smallest_cut_metres: Math.round(smallestCut) }),
    },
    found: job.found,
    ...(estimate && { estimate }),
  }
}

function estimateOf(
  { found, listed, hasEnded, isFiltered, isCut }: CertifiedJob,
  cells: CellSums,
  audited: readonly AuditedCellDocument[],
): CoverageCertificate['estimate'] {
  if (!hasEnded || audited.length === 0 || isCut) return undefined
  const estimate = estimateTotal(audited, cells.unsearched, Math.max(listed, found))
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

const SEARCHED_AGAIN = 'the share of known places that a second search of a cell misses'
const CAPTURE_RECAPTURE = 'log-linear capture-recapture, log-normal interval'

function methodOf({ undivided, whole }: CellSums, audited: readonly AuditedCellDocument[]): string {
  if (!audited.some(({ bounds }) => bounds)) return `${CAPTURE_RECAPTURE}; one search again in another wording, no area`
  const sampled = `${CAPTURE_RECAPTURE}; ${audited.length} of ${undivided} cells searched again`
  return whole ? sampled : `${sampled}; unsearched cells at most as dense as the densest searched one`
}
