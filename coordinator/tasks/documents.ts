import type { Cell } from '@placefleet/shared/cell'
import type { MissedInput } from '@placefleet/shared/named-place'
import type { FailureCode, LimitedReason, OutcomeCounts } from '@placefleet/shared/outcome'
import type { PlaceReference } from '@placefleet/shared/place'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/**
 * A task is `waiting` in MongoDB, `released` to the queue, `running` under a lease, then `done`, `failed` or
 * `cancelled`.
 */
export const TASK_STATES = ['waiting', 'released', 'running', 'done', 'failed', 'cancelled'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** The states of a task that has not ended. */
export const OPEN_STATES: TaskState[] = ['waiting', 'released', 'running']

export const ENDED_STATES: TaskState[] = ['done', 'failed', 'cancelled']

/**
 * An exit or agent that the map site refuses for a task, and until when. A single agent, by its id, is refused when it
 * may not use the browser that the site requires.
 */
export type RefusedClaimant = { claimant: string; until: Date; reason?: WaitReason }

/** Why a refused task waits: the map site blocks its exits, or sends answers that nobody knows. Absent: blocked. */
export type WaitReason = 'blocked' | 'unknown'

/** How an attempt ended. `lost`: its agent stopped answering; `refused`: the map site refused the task for now. */
export const ATTEMPT_RESULTS = ['finished', 'failed', 'refused', 'handed_back', 'lost', 'cancelled'] as const
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number]

/** The failure of an attempt. Only operators see `detail`, the words of the agent. */
export type TaskFailure = { code: FailureCode; message: string; detail?: string }

/** An attempt that ended without ending its task. */
export type EndedAttempt = {
  number: number
  agent_id: string
  exit?: string
  started_at: Date
  ended_at: Date
  result: AttemptResult
  failure?: TaskFailure
}

/** One unit of work for an agent. */
export type TaskDocument = {
  _id: string
  job_id: string
  user_id: string
  kind: 'discover' | 'collect'
  /** Set for the tasks of a demo job. The simulated city runs them, and they never enter the queue. */
  demo?: boolean
  /** Set for the tasks of a job with proxies. */
  proxied?: boolean
  /** Unique within job and kind: the index of the keyword in the request, or of the group of references. */
  ordinal: number
  /** The search of a `discover` task. */
  keyword?: string
  /** Set for a search of a job that exhausts its area: the cells that it searches. */
  cells?: Cell[]
  /** Set for a search that audits these cells; none stands for a search without an area. */
  audit?: { cells: Cell[] }
  state: TaskState
  /** The fencing number. It rises with every claim, and every write of an agent must name the current one. */
  attempt: number
  /** Failed attempts. An attempt that gives the task back does not count. */
  failures: number
  /** How often it was handed back without an event. */
  handed_back?: number
  /** The agent that holds the lease. */
  agent_id?: string
  /** The own exit of the agent of the latest attempt, and when that began. */
  exit?: string
  started_at?: Date
  /** The latest attempts that did not end the task, oldest first. */
  attempts?: EndedAttempt[]
  claim_id?: string
  /** The stream that holds the lease. Once another stream takes over the lease, this stream may write nothing more. */
  stream?: string
  lease_until?: Date
  /** The number of the last durable event of this attempt. */
  sequence: number
  /** Outcomes of the places and pages that were not stored, as the last attempt that reported them counted. */
  outcomes: OutcomeCounts
  /** Outcomes of the attempt's visits to websites. Absent before its first attempt. */
  website_visits?: WebsiteVisits
  /** Why its places are `limited`, when it was not only the map site. */
  limited_reason?: LimitedReason
  /** The failure of the last failed attempt. */
  failure?: TaskFailure
  created_at: Date
  released_at?: Date
  /** The exits to which the map site refused this task, now or earlier. */
  refused?: RefusedClaimant[]
  /** Not released before this time. */
  not_before?: Date
  ended_at?: Date
}

/**
 * A place that a search listed. Positions count 1, 2, 3 … over all searches of a job. The collect task with ordinal n
 * covers as many positions as the job's tasks have, the first of them n × that size + 1.
 */
export type ReferenceDocument = {
  _id: string
  job_id: string
  position: number
  place_key: string
  reference: PlaceReference
  /** The search that listed it first. Absent: the job probes the place, or its user named it. */
  task_id?: string
  /** The text with which the user named it. `place_key` may be `0x0:0x…` then, or a short link. */
  input?: string
  /** Its own key, where `place_key` is another one. An agent learns it before the place is stored. */
  found_key?: string
  /** Why an input was not stored, by the last attempt that said so. */
  missed?: MissedInput
}

export const tasksOf = (db: Db): Collection<TaskDocument> => collection(db, 'tasks')

export const referencesOf = (db: Db): Collection<ReferenceDocument> => collection(db, 'references')

export const tasksBy = indexesOf('tasks', {
  job_kind_ordinal: { key: { job_id: 1, kind: 1, ordinal: 1 }, unique: true },
  /** A job's tasks. It covers their counts. */
  job_state: { key: { job_id: 1, state: 1, kind: 1, ordinal: 1 } },
  /** A user's tasks by state. It covers the ids of their jobs. */
  user_state_job: { key: { user_id: 1, state: 1, job_id: 1 } },
  /** All tasks by state. A renewed lease does not touch it. */
  state_ended: { key: { state: 1, ended_at: 1 } },
})

export const referencesBy = indexesOf('references', {
  job_position: { key: { job_id: 1, position: 1 }, unique: true },
  job_place: { key: { job_id: 1, place_key: 1 }, unique: true },
})

export const taskIndexes = [...Object.values(tasksBy), ...Object.values(referencesBy)]

/** A connected agent that takes tasks. */
export type TaskAgent = {
  id: string
  /** The id of its own exit. */
  exit: string
  /** How many tasks it runs at once. */
  slots: number
  proxies: boolean
}

/**
 * What decides which agents may take a task. The simulated city takes the tasks of demo jobs, and no agent is needed.
 */
export type ForAgents = Pick<TaskDocument, 'demo' | 'proxied'>

/** What the tasks of a job take over from it. */
type OfJob = { _id: string; user_id: string; data: { demo?: boolean | undefined }; proxy_count: number }

/** Which agents may take the tasks of a job. */
export const forAgentsOf = ({ data, proxy_count }: Pick<OfJob, 'data' | 'proxy_count'>): ForAgents => ({
  ...(data.demo && { demo: true }),
  ...(proxy_count > 0 && { proxied: true }),
})

/**
 * Returns the fields that all new tasks of one kind of a job have. Those of a demo job go to the simulated city, and
 * not every agent gets those of a job with proxies.
 */
export const newTaskOf = <Kind extends TaskDocument['kind']>(job: OfJob, kind: Kind) => ({
  job_id: job._id,
  user_id: job.user_id,
  kind,
  ...forAgentsOf(job),
})

/** Returns how many tasks like this the agents can run at once. */
export const slotsFor = (agents: readonly TaskAgent[], task: ForAgents): number =>
  agents.filter((agent) => agent.proxies || !task.proxied).reduce((sum, { slots }) => sum + slots, 0)
