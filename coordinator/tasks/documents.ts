import type { FailureCode, OutcomeCounts } from '@placefleet/shared/outcome'
import type { PlaceReference } from '@placefleet/shared/place'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'

/**
 * `waiting` in MongoDB, `released` to the queue, `running` under a lease; then `done`, `failed` or `cancelled`.
 */
export type TaskState = 'waiting' | 'released' | 'running' | 'done' | 'failed' | 'cancelled'

/** The states that a task can still leave. */
export const OPEN_STATES: TaskState[] = ['waiting', 'released', 'running']

/** One unit of work an agent takes. */
export type TaskDocument = {
  _id: string
  job_id: string
  user_id: string
  kind: 'discover' | 'collect'
  /** Unique within job and kind: the keyword's place in the request, or the number of the chunk of references. */
  ordinal: number
  /** What a `discover` task searches for. */
  keyword?: string
  state: TaskState
  /** The fencing number: rises with every claim, and every write of an agent must name the current one. */
  attempt: number
  /** Attempts that ended badly; handing a task back is none. */
  failures: number
  /** The agent that holds the lease. */
  agent_id?: string
  /** The claim by which it came to hold it. */
  claim_id?: string
  /** The stream on which it holds it: a stream that another one has taken over may write nothing more. */
  stream?: string
  lease_until?: Date
  /** The last event of this attempt that is durable. */
  sequence: number
  /** What ended otherwise than as a stored place, in the last attempt that said so. */
  outcomes: OutcomeCounts
  /** How the websites that the attempt visited ended; absent on tasks of before they were counted. */
  website_visits?: WebsiteVisits
  failure?: { code: FailureCode; message: string }
  created_at: Date
  released_at?: Date
  /** Not released before this time. */
  not_before?: Date
  ended_at?: Date
}

/**
 * A place that a search listed, at its position in the order in which the job's searches listed it. The collect task
 * with ordinal n covers the positions from n × TASK_SIZE + 1 on.
 */
export type ReferenceDocument = {
  _id: string
  job_id: string
  position: number
  place_key: string
  reference: PlaceReference
}

export const tasksOf = (db: Db): Collection<TaskDocument> => collection(db, 'tasks')

export const referencesOf = (db: Db): Collection<ReferenceDocument> => collection(db, 'references')

/** What the tasks of jobs are found by, and what makes them unique. */
export const taskIndexes: readonly Index[] = [
  { collection: 'tasks', name: 'job_kind_ordinal', key: { job_id: 1, kind: 1, ordinal: 1 }, unique: true },
  { collection: 'tasks', name: 'job_state', key: { job_id: 1, state: 1, kind: 1, ordinal: 1 } },
  { collection: 'tasks', name: 'user_state', key: { user_id: 1, state: 1 } },
  { collection: 'tasks', name: 'state_lease', key: { state: 1, lease_until: 1 } },
  { collection: 'references', name: 'job_position', key: { job_id: 1, position: 1 }, unique: true },
  { collection: 'references', name: 'job_place', key: { job_id: 1, place_key: 1 }, unique: true },
]
