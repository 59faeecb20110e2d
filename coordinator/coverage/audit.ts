import { type Cell, holds } from '@placefleet/shared/cell'
import type { Db } from 'mongodb'
import { placesOf } from '../results/store.ts'
import { listedPlaces } from '../tasks/plan.ts'
import { type AuditedCellDocument, cellKey, type SeenCell } from './documents.ts'
import { auditSampleOf } from './sample.ts'
import { seenCells, storeAudit } from './store.ts'

/**
 * Plans the audit of a job whose searches have all ended, and stores the places that they found in its cells. Safe to
 * repeat.
 * @returns the cells to search again; none for a search without an area. Undefined when there is nothing to audit: no
 * search was answered, or a search without an area was cut, so its number of places is unknown.
 */
export async function planAudit(db: Db, job_id: string): Promise<Cell[] | undefined> {
  const sample = (await auditSampleOf(() => seenCells(db, job_id), job_id)).map(({ bounds }) => bounds)
  const isWide = sample.length === 0 && (await isOneSearch(seenCells(db, job_id)))
  if (sample.length === 0 && !isWide) return undefined
  const planned = (isWide ? [undefined] : sample).map((bounds) => ({ bounds, before: new Set<string>() }))
  for await (const place of foundPlaces(db, job_id)) {
    for (const { bounds, before } of planned) if (!bounds || holds(bounds, place)) before.add(place.place_key)
  }
  await storeAudit(
    db,
    planned.map(({ bounds, before }) => auditedCell(job_id, bounds, before)),
  )
  return sample
}

/** Returns whether all searches had no area, and were answered and not cut. */
async function isOneSearch(cells: AsyncIterable<SeenCell>): Promise<boolean> {
  let count = 0
  for await (const { bounds, state } of cells) {
    if (bounds || state !== 'searched') return false
    count++
  }
  return count > 0
}

type FoundPlace = { place_key: string; latitude?: number | undefined; longitude?: number | undefined }

const auditedCell = (job_id: string, bounds: Cell | undefined, before: Set<string>): AuditedCellDocument => ({
  _id: `${job_id} ${cellKey(bounds)}`,
  job_id,
  kind: 'audit',
  ...(bounds && { bounds }),
  before: [...before],
})

/** Streams the places that the searches of a job listed or stored, with their positions. */
async function* foundPlaces(db: Db, job_id: string): AsyncGenerator<FoundPlace> {
  yield* listedPlaces(db, job_id)
  for await (const { place_key, place } of placesOf(db, job_id, ['latitude', 'longitude'])) {
    yield { place_key, latitude: place.latitude, longitude: place.longitude }
  }
}
