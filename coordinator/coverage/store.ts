import { type Cell, quarters } from '@placefleet/shared/cell'
import { AUDIT_SEARCHES, type AuditSearch, type SearchedCell } from '@placefleet/shared/coverage'
import type { Db, Document } from 'mongodb'
import type { ErasureStep } from '../mongo/erasure.ts'
import { batches, removeAll } from '../mongo/in-batches.ts'
import { BY_ID, using } from '../mongo/indexes.ts'
import { insertInOrder, type Updates } from '../mongo/locks.ts'
import {
  type AuditedCellDocument,
  auditedCellsOf,
  type CellDocument,
  cellId,
  cellKey,
  cellsBy,
  cellsOf,
  type SeenCell,
  searchesOf,
} from './documents.ts'
import { findingsOf, type MappedCell } from './exhaustion.ts'

/**
 * The task whose searches are recorded. `ordinal` is set for a job that exhausts its area: each search of a cell is kept,
 * with the keys of the places that it listed.
 */
type SearchingTask = { job_id: string; keyword: string; ordinal?: number }

/**
 * Returns the updates that record searches. Safe to repeat. A search without an answer does not replace one that was
 * answered before.
 */
export function searchUpdates(db: Db, task: SearchingTask, searched: readonly SearchedCell[]): Updates {
  const { namespace } = cellsOf(db)
  return searched.flatMap(({ audit, ...cell }) => {
    const updates = audit ? auditOf(task, audit, cell) : [searchOf(task, cell)]
    return updates.map((update) => ({ name: 'updateOne', namespace, ...update }) as const)
  })
}

export async function recordSearches(db: Db, updates: Updates): Promise<void> {
  if (updates.length > 0) await insertInOrder(db, cellsOf(db), [], updates)
}

/** The cells of a job that exhausts its area, as numbers. The keys of their places go by a bounded number at a time. */
export async function mappedCells(db: Db, job_id: string): Promise<MappedCell[]> {
  const map: MappedCell[] = []
  const cells = cellsOf(db).find(searchesOf(job_id), { ...using(cellsBy.job_kind), batchSize: BATCH })
  for await (const cell of cells) map.push(...mapped(cell))
  return map
}

/** The keys of the places that the searches of these cells of a job listed. */
export async function listedInCells(
  db: Db,
  job_id: string,
  keyword: string,
  searched: readonly Cell[],
): Promise<string[]> {
  const _id = { $in: searched.map((bounds) => cellId(job_id, keyword, bounds)) }
  const documents = await cellsOf(db).find({ _id }, BY_ID).toArray()
  return [...new Set(documents.flatMap(({ looks = {} }) => Object.values(looks).flat()))]
}

/** Whether a job has so many cells that it can have no more. */
export const hasMostCells = async (db: Db, job_id: string, most: number): Promise<boolean> =>
  (await cellsOf(db).countDocuments(searchesOf(job_id), { ...using(cellsBy.job_kind), limit: most })) === most

export const auditedCells = (db: Db, job_id: string): Promise<AuditedCellDocument[]> =>
  auditedCellsOf(db).find({ job_id, kind: 'audit' }, using(cellsBy.job_kind)).toArray()

/** Stores the cells of an audit before its searches. Safe to repeat. */
export async function storeAudit(db: Db, planned: readonly AuditedCellDocument[]): Promise<void> {
  await auditedCellsOf(db).bulkWrite(
    planned.map(({ _id, ...cell }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: cell }, upsert: true },
    })),
  )
}

/** Removes what is known of the searches of a job. */
export async function removeCells(db: Db, job_id: string): Promise<void> {
  await removeAll(cellsOf(db), { job_id }, { index: cellsBy.job_kind })
}

/** Cells in one read. A job has up to 50,000. */
const BATCH = 500

/** Streams the cells that a job searched or was to search, without the keys of their places. */
export async function* seenCells(db: Db, job_id: string): AsyncGenerator<SeenCell> {
  const cells = cellsOf(db)
  const documents = cells.find(searchesOf(job_id), {
    ...using(cellsBy.job_kind),
    projection: { looks: 0, blocked: 0 },
    batchSize: BATCH,
  })
  for await (const batch of batches(documents, BATCH)) {
    const parts = batch.map(quarterIds)
    const ids = await cells.find({ _id: { $in: parts.flat() } }, { projection: { _id: 1 }, ...BY_ID }).toArray()
    const known = new Set(ids.map(({ _id }) => _id))
    for (const [nth, cell] of batch.entries()) {
      yield Object.assign(cell, { divided: parts[nth]?.some((id) => known.has(id)) ?? false })
    }
  }
}

/** Returns the ids of the searches of the quarters of a cell. Only a cell that was cut has any. */
const quarterIds = ({ job_id, keyword, bounds, state }: CellDocument): string[] =>
  state === 'cut' && bounds ? quarters(bounds).map((quarter) => cellId(job_id, keyword, quarter)) : []

/** Removes a place from what all searches and audits noted. */
export function searchedPlaceErasure(db: Db, place_key: string): ErasureStep[] {
  const others = { $filter: { input: '$$look.v', cond: { $ne: ['$$this', { $literal: place_key }] } } }
  const looks = { $map: { input: { $objectToArray: '$looks' }, as: 'look', in: { k: '$$look.k', v: others } } }
  const lists = ['before', ...AUDIT_SEARCHES] as const
  const collection = cellsOf(db).collectionName
  return [
    { collection, filter: { looks: { $exists: true } }, update: [{ $set: { looks: { $arrayToObject: looks } } }] },
    {
      collection: auditedCellsOf(db).collectionName,
      filter: { $or: lists.map((list) => ({ [list]: place_key })) },
      update: { $pull: Object.fromEntries(lists.map((list) => [list, place_key])) },
    },
  ]
}

const ANSWERED = ['searched', 'cut']

type CellUpdate = { filter: { _id: string }; update: Document | Document[]; upsert?: boolean }

function searchOf(
  { job_id, keyword, ordinal }: SearchingTask,
  { bounds, state, places, place_keys, look }: SearchedCell,
): CellUpdate {
  const filter = { _id: cellId(job_id, keyword, bounds) }
  const identity = { ...searchesOf(job_id), keyword, ...(bounds && { bounds }) }
  const known = { $in: ['$state', ANSWERED] }
  const isAnswer = ANSWERED.includes(state)
  const unlessKnown = { state: { $cond: [known, '$state', state] }, places: { $cond: [known, '$places', places] } }
  // What is searched next follows from the first answer, so a later one does not replace it.
  const result = isAnswer && ordinal === undefined ? { state, places } : unlessKnown
  const search = ordinal === undefined ? undefined : `${ordinal}-${look}`
  const lookFields = search === undefined ? {} : keptSearch(search, state, place_keys)
  return { filter, update: [{ $set: { ...literally(identity), ...result, ...lookFields } }], upsert: true }
}

/** Returns what a job that exhausts its area keeps of a search, under the name of the search. */
function keptSearch(search: string, state: SearchedCell['state'], place_keys: readonly string[]) {
  if (ANSWERED.includes(state)) return { looks: { $mergeObjects: ['$looks', literally({ [search]: place_keys })] } }
  return state === 'blocked' ? { blocked: { $setUnion: [{ $ifNull: ['$blocked', []] }, [search]] } } : {}
}

/** Returns a stored cell as numbers. A search that was answered after a block counts as answered. */
function mapped({ keyword, bounds, state, looks = {}, blocked = [] }: CellDocument): MappedCell[] {
  if (!bounds) return []
  const blocks = blocked.filter((search) => looks[search] === undefined).length
  return [{ ...findingsOf(Object.values(looks)), keyword, bounds, state, blocks }]
}

/** Keeps a text that begins with `$` from being read as a field. */
const literally = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]))

function auditOf(
  { job_id }: SearchingTask,
  audit: AuditSearch,
  { bounds, state, place_keys }: SearchedCell,
): CellUpdate[] {
  if (!ANSWERED.includes(state)) return []
  // The searches of all keywords of the job count as one.
  const update = { $addToSet: { [audit]: { $each: place_keys } } }
  return [{ filter: { _id: `${job_id} ${cellKey(bounds)}` }, update }]
}
