import type { Index } from '../mongo/indexes.ts'

/** What the tasks of jobs are found by, and what makes them unique. */
export const taskIndexes: readonly Index[] = [
  { collection: 'tasks', name: 'job_kind_ordinal', key: { job_id: 1, kind: 1, ordinal: 1 }, unique: true },
  { collection: 'tasks', name: 'job_state', key: { job_id: 1, state: 1, kind: 1, ordinal: 1 } },
  { collection: 'tasks', name: 'user_state', key: { user_id: 1, state: 1 } },
  { collection: 'tasks', name: 'state_lease', key: { state: 1, lease_until: 1 } },
  { collection: 'references', name: 'job_position', key: { job_id: 1, position: 1 }, unique: true },
  { collection: 'references', name: 'job_place', key: { job_id: 1, place_key: 1 }, unique: true },
]
