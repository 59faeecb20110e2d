import type { Collection, Db } from 'mongodb'
import { collection } from './connect.ts'

/**
 * Returns the collection of what a deployment has one of: each room that needs it has one document in it, with an `_id` of its
 * own.
 */
export const deploymentOf = <Doc extends { _id: string }>(db: Db): Collection<Doc> => collection<Doc>(db, 'deployment')
