import type { Cell } from '@placefleet/shared/cell'
import type { AuditSearch, CellState } from '@placefleet/shared/coverage'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/** The latest search of one cell for one keyword of a job. Without bounds: a search without an area. */
export type CellDocument = {
  _id: string
  job_id: string
  kind: 'search'
  keyword: string
  bounds?: Cell
  state: CellState
  /** How many places of the cell the search listed. */
  places: number
  /** Of a job that exhausts its area: the keys of the places that each search listed, by the search. */
  looks?: Record<string, string[]>
  /** Of such a job: the searches that brought no answer at first. */
  blocked?: string[]
}

/** A cell, and whether one of its quarters was searched as well. The others cover the area, once for each keyword. */
export type SeenCell = CellDocument & { divided: boolean }

/**
 * A cell that the audit of a job searches again: the keys of its places that the job found before, and of those that
 * each search of the audit listed. A search without an answer has no keys.
 */
export type AuditedCellDocument = {
  _id: string
  job_id: string
  kind: 'audit'
  bounds?: Cell
  before: string[]
} & { [Search in AuditSearch]?: string[] }

export const cellsOf = (db: Db): Collection<CellDocument> => collection(db, 'searched_cells')

export const auditedCellsOf = (db: Db): Collection<AuditedCellDocument> => collection(db, 'searched_cells')

export const cellsBy = indexesOf('searched_cells', { job_kind: { key: { job_id: 1, kind: 1 } } })

export const coverageIndexes = Object.values(cellsBy)

export const searchesOf = (job_id: string) => ({ job_id, kind: 'search' }) as const

/** Returns the identity of a cell within its job. A micro-degree is about a decimetre. */
export const cellKey = (bounds: Cell | undefined): string =>
  bounds ? [bounds.south, bounds.north, bounds.west, bounds.east].map((edge) => edge.toFixed(6)).join(' ') : 'all'

export const cellId = (job_id: string, keyword: string, bounds: Cell | undefined): string =>
  `${job_id} ${keyword} ${cellKey(bounds)}`
