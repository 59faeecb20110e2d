import type { SearchedCell as CellMessage } from '@placefleet/proto/fleet'
import { SearchedCell } from '@placefleet/shared/coverage'
import { MAX_EVENT } from '@placefleet/shared/protocol'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { hasMostCells, searchUpdates } from '../coverage/store.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { Updates } from '../mongo/locks.ts'
import { ContractViolation } from './call.ts'

type RecordCellsDeps = {
  db: Db
  known: Pick<KnownPlaces, 'among'>
}

/** A search, and its cells since those of the job were counted. Undefined: an earlier stream sent some. */
type SearchingTask = { job: JobDocument; ordinal: number; keyword?: string | undefined; cells: number | undefined }

/** Ten times what exhausting the largest area takes. They are read whole for the certificate of coverage. */
const MAX_CELLS = 50_000

/** After so many cells of a stream those of the job are counted: most streams have fewer. */
const COUNTED_EVERY = 500

/**
 * Returns the updates that record the searches of cells that came with an event, also of an agent whose lease is lost:
 * they say something about the map, not about the task. Safe to repeat.
 * @throws ContractViolation when a search breaks the contract.
 */
export async function recordOfCells(
  { db, known }: RecordCellsDeps,
  task: SearchingTask,
  messages: readonly CellMessage[],
): Promise<Updates> {
  const { job, keyword, ordinal } = task
  const { _id: job_id, user_id, data } = job
  if (messages.length > MAX_EVENT.cells) throw new ContractViolation('an event with too many cells')
  if (data.coverage === undefined || data.coverage === 'none' || keyword === undefined) return []
  await mustHaveRoom(db, task, messages.length)
  const parsed = z
    .array(SearchedCell)
    .safeParse(messages.map(({ audit, ...cell }) => ({ ...cell, ...(audit && { audit }) })))
  if (!parsed.success) throw new ContractViolation('a searched cell that is out of bounds')
  const audited = parsed.data.filter(({ audit }) => audit !== undefined)
  const keys = data.only_new ? audited.flatMap(({ place_keys }) => place_keys) : []
  const dropped = await known.among(user_id, [...new Set(keys)], data.recheck_after)
  const cells = parsed.data.map((cell) => ({
    ...cell,
    place_keys: cell.place_keys.filter((place_key) => !dropped.has(place_key)),
  }))
  return searchUpdates(db, { job_id, keyword, ...(data.exhaust && { ordinal }) }, cells)
}

/** @throws ContractViolation when the job has too many cells. */
async function mustHaveRoom(db: Db, task: SearchingTask, more: number): Promise<void> {
  if (task.cells !== undefined && task.cells + more < COUNTED_EVERY) {
    task.cells += more
    return
  }
  task.cells = 0
  if (await hasMostCells(db, task.job._id, MAX_CELLS)) throw new ContractViolation('too many cells')
}
