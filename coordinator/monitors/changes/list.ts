import type { Db } from 'mongodb'
import type { z } from 'zod'
import { orNotFound } from '../../http/errors.ts'
import type { MonitorStore } from '../store.ts'
import { type ChangeList, type ChangesQuery, presentChange } from './schema.ts'
import { changesPage } from './store.ts'

export type ChangeReads = { monitors: Pick<MonitorStore, 'find'>; db: Db }

/**
 * Returns a page of the changes that a monitor found.
 * @throws AppError `not_found`.
 */
export async function listChanges(
  { monitors, db }: ChangeReads,
  user_id: string,
  monitor_id: string,
  { since: from, limit, ...order }: z.infer<typeof ChangesQuery>,
): Promise<z.infer<typeof ChangeList>> {
  const monitor = orNotFound(await monitors.find(user_id, monitor_id), 'monitor')
  const since = from === undefined ? undefined : new Date(from)
  const documents = await changesPage(db, monitor._id, { ...order, since, limit: limit + 1 })
  return { changes: documents.slice(0, limit).map(presentChange), has_more: documents.length > limit }
}
