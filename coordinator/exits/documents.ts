import { createHmac } from 'node:crypto'
import type { ExitLimits, ExitState } from '@placefleet/shared/exits/rules'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/** Which exit it is. `name`: of an exit without a proxy, an address or the EXIT_NAME of its agents. */
export type ExitId = { id: string; kind: 'direct' | 'proxy'; name?: string }

/** Names exits. An id says nothing about the URL of its proxy. */
export type ExitIds = {
  direct(name: string): ExitId
  /** @param digest of the proxy's URL with its credentials. */
  proxy(digest: string): ExitId
}

const ID_LENGTH = 20

/** Creates the names of exits under the key of the deployment. All its coordinators need the same key. */
export function createExitIds(key: Buffer): ExitIds {
  const idOf = (kind: ExitId['kind'], value: string) =>
    createHmac('sha256', key).update(`exit ${kind} ${value}`).digest('hex').slice(0, ID_LENGTH)
  return {
    direct: (name) => ({ id: idOf('direct', name), kind: 'direct', name }),
    proxy: (digest) => ({ id: idOf('proxy', digest), kind: 'proxy' }),
  }
}

/** An agent that used an exit lately. */
export type ExitUser = { agent_id: string; limits: ExitLimits; seen_at: Date; served_at: Date }

/** An exit: a proxy, or an address that agents are seen from. Times of its state are milliseconds of the database's clock. */
export type ExitDocument = Omit<ExitId, 'id'> & {
  _id: string
  state: ExitState
  /** The agent whose report brought the rest. */
  rested_by?: string
  users: ExitUser[]
  /** How often each verdict came since `counted_since`, for a day. */
  verdicts: Record<string, number>
  counted_since: Date
  last_verdict?: string
  used_at: Date
  /** Changes with every write: a decision holds only for the state from which it was made. */
  revision: string
}

/** How long an exit that nobody uses is kept. No rest is longer. */
const REMEMBERED_SECONDS = 7 * 24 * 3_600

export const exitsOf = (db: Db): Collection<ExitDocument> => collection(db, 'exits')

export const exitsBy = indexesOf('exits', {
  used: { key: { used_at: 1 }, expireAfterSeconds: REMEMBERED_SECONDS },
  rested_by: { key: { rested_by: 1 }, partialFilterExpression: { rested_by: { $exists: true } } },
})

export const exitIndexes = Object.values(exitsBy)
