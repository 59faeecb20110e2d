import { type Cell, holds } from '@placefleet/shared/cell'
import type { Db } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { CHAIN_INDEX, resultsOf } from '../results/documents.ts'
import { REFERENCE_INDEX, referencesOf } from '../tasks/documents.ts'
import { type AuditedCellDocument, cellKey } from './documents.ts'
import { auditSample } from './sample.ts'
import type { CoverageStore } from './store.ts'

/**
 * Plans the audit of a job whose searches have all ended, and stores the places that they found in its cells. Safe to
 * repeat.
 * @returns the cells to search again; none for a search without an area. Undefined when there is nothing to audit: no
 * search was answered, or a search without an area was cut, so its number of places is unknown.
 */
export async function planAudit(db: Db, coverage: CoverageStore, job_id: string): Promise<Cell[] | undefined> {
  const cells = await coverage.cells(job_id)
  const sample = auditSample(cells, job_id).map(({ bounds }) => bounds)
  const isWide = cells.length > 0 && cells.every(({ bounds, state }) => !bounds && state === 'searched')
  if (sample.length === 0 && !isWide) return undefined
  const found = await foundPlaces(db, job_id)
  await coverage.planAudit((isWide ? [undefined] : sample).map((bounds) => auditedCell(job_id, bounds, found)))
  return sample
}

type FoundPlace = { place_key: string; latitude?: number | undefined; longitude?: number | undefined }

function auditedCell(job_id: string, bounds: Cell | undefined, found: readonly FoundPlace[]): AuditedCellDocument {
  const inside = bounds ? found.filter((place) => holds(bounds, place)) : found
  const before = [...new Set(inside.map(({ place_key }) => place_key))]
  return { _id: `${job_id} ${cellKey(bounds)}`, job_id, ...(bounds && { bounds }), before }
}

/** Returns the places that the searches of a job listed or stored, with their positions. */
async function foundPlaces(db: Db, job_id: string): Promise<FoundPlace[]> {
  const listed = await referencesOf(db)
    .find({ job_id }, { ...using(REFERENCE_INDEX), projection: { reference: 1, place_key: 1 } })
    .toArray()
  const stored = await resultsOf(db)
    .find(
      { job_id, place_key: { $exists: true } },
      { ...using(CHAIN_INDEX), projection: { place_key: 1, 'place.latitude': 1, 'place.longitude': 1 } },
    )
    .toArray()
  return [
    ...listed.map(({ reference }) => reference),
    ...stored.map(({ place_key, place: { latitude, longitude } }) => ({ place_key, latitude, longitude })),
  ]
}
