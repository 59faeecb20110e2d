import type { Index } from '../mongo/indexes.ts'

/** The index that makes an `Idempotency-Key` create one job at most. */
export const IDEMPOTENCY_INDEX = 'user_idempotency_key'

/** The index that makes the concurrent job limit exact. */
export const SLOT_INDEX = 'user_slot'

/** What jobs are found by, and what makes them unique. */
export const jobIndexes: readonly Index[] = [
  { collection: 'jobs', name: 'user_created', key: { user_id: 1, listed: 1, created_at: -1, _id: -1 } },
  { collection: 'jobs', name: 'status_swept', key: { status: 1, swept_at: 1 } },
  { collection: 'jobs', name: 'status_deadline', key: { status: 1, deadline_at: 1 } },
  { collection: 'jobs', name: 'listed_created', key: { listed: 1, created_at: 1 } },
  {
    collection: 'jobs',
    name: IDEMPOTENCY_INDEX,
    key: { user_id: 1, 'idempotency.key': 1 },
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
  {
    collection: 'jobs',
    name: SLOT_INDEX,
    key: { user_id: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  },
]
