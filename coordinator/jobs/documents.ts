import type { CreateJobRequest, Job, PartialReason } from '@placefleet/shared/job'
import type { JobStatus } from '@placefleet/shared/job-status'
import type { LimitedReason } from '@placefleet/shared/outcome'
import type { PlaceReference } from '@placefleet/shared/place'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Db } from 'mongodb'
import type { MicroCredits, UnitPrices } from '../billing/prices/cost.ts'
import type { AreaEstimate } from '../coverage/exhaustion.ts'
import { collection } from '../mongo/connect.ts'
import { dueIndex, type Lease } from '../mongo/due-work.ts'
import { indexesOf } from '../mongo/indexes.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { WaitReason } from '../tasks/documents.ts'
import type { EndStatus, JobPhase } from './phase.ts'

/** A stored job. Its `phase` changes only by compare-and-set, and `status` and `listed` only with it. */
export type JobDocument = {
  _id: string
  user_id: string
  name: string
  /** The request without its proxies, which are encrypted in a collection of their own. */
  data: Omit<CreateJobRequest, 'name' | 'proxies'>
  proxy_count: number
  /** The places of each of its collect tasks. */
  task_size: number
  source: Job['source']
  key_id?: string
  /** The run of a monitor that the job was created for. `probes`: places that the job collects directly. */
  monitor?: { id: string; at: Date; began_at: Date; probes?: PlaceReference[] }
  /** Whether its user was a paying user when it was created. */
  paid: boolean
  phase: JobPhase
  /** When its phase last changed. */
  phase_at: Date
  /** The status in which it will end or has ended. It is decided before anything of the end is done. */
  end?: EndStatus
  /** What users see of its phase and its end (`statusOf`). Stored for the indexes. */
  status: JobStatus
  /** Whether its user sees it: from the end of its creation until its deletion, which may come in any phase. */
  listed: boolean
  /**
   * What the stored counts of its user's jobs lack (counts.ts). 1: this job, which is listed and is active or has just
   * ended. -1: that it is deleted.
   */
  uncounted?: 1 | -1
  /** Its slot among the user's active jobs, unique per user. Slots make the concurrent job limit exact. */
  slot?: number
  idempotency?: { key: string; fingerprint: string; expires_at: Date }
  prices: UnitPrices
  /** The credits held for it since its creation. */
  held: MicroCredits
  /** The totals of the stored places. They only rise, and may lag behind the results until the job has ended. */
  totals: ResultTotals
  /** The final charge. While the job runs, its cost follows from `totals`. */
  total_cost?: MicroCredits
  progress: {
    discovered: number
    tasks_total: number
    tasks_done: number
    /** Whether its searches have listed all their places. */
    searches_ended?: boolean
    /** When the job may continue, and why it cannot continue now. */
    waiting_until?: Date
    waiting_reason?: WaitReason | 'no_agent'
  }
  outcomes: Job['outcomes']
  /** Absent until its tasks were counted for the first time. */
  website_visits?: WebsiteVisits
  limited_reason?: LimitedReason
  /** Why it ends so, decided with `end`. */
  failure_reason?: string
  cancel_reason?: 'user' | 'timeout'
  partial?: true
  /** What was left out and why. Users see it of jobs that exhaust their area. */
  partial_reason?: PartialReason
  /** How many places its area has. Only of an ended job that exhausted it. */
  estimate?: AreaEstimate
  /** W3C traceparent of the request that created it. */
  traceparent?: string
  created_at: Date
  /** When the status last changed. */
  updated_at: Date
  /** Since when no connected agent may take it. Only of a pending job. */
  no_agent_since?: Date
  started_at?: Date
  deadline_at?: Date
  /** For how long the map site refused all its tasks, counted up to `until` while it still does. */
  rest?: { ms: number; until?: Date }
  ended_at?: Date
  /** Whether its places are known to its user. */
  places_known?: true
  /** When a coordinator must look at it next, and the last one that did. Absent when no work is left. */
  due_at?: Date
  lease?: Lease
}

/** A job before its insert. The insert sets its times. */
export type JobDraft = Omit<
  JobDocument,
  'created_at' | 'updated_at' | 'phase_at' | 'due_at' | 'lease' | 'idempotency'
> & {
  idempotency?: Omit<NonNullable<JobDocument['idempotency']>, 'expires_at'>
}

export const jobsOf = (db: Db): Collection<JobDocument> => collection(db, 'jobs')

/** The indexes of jobs. The partial ones hold only jobs with work left. */
export const jobsBy = indexesOf('jobs', {
  /** A user's jobs by age, of any status. Nothing reads the places: without them it would be another index to build. */
  user_created: { key: { user_id: 1, listed: 1, created_at: -1, _id: -1, 'totals.places': 1 } },
  /** Each sort order of a user's jobs of one status. Those of all statuses merge into the order of any. */
  user_status_created: { key: { user_id: 1, listed: 1, status: 1, created_at: 1, _id: 1 } },
  user_status_updated: { key: { user_id: 1, listed: 1, status: 1, updated_at: 1, _id: 1 } },
  user_status_name: { key: { user_id: 1, listed: 1, status: 1, name: 1, _id: 1 } },
  /** All users' jobs by age, of any status and of one. */
  listed_created: { key: { listed: 1, created_at: 1 } },
  listed_status_created: { key: { listed: 1, status: 1, created_at: 1 } },
  /** The jobs of each monitor, by age. */
  monitor_created: {
    key: { 'monitor.id': 1, created_at: 1, _id: 1 },
    partialFilterExpression: { 'monitor.id': { $exists: true } },
  },
  /** The jobs that their users do not see. */
  user_hidden: { key: { user_id: 1, phase: 1 }, partialFilterExpression: { listed: false } },
  /** A user's jobs that the stored counts lack. */
  user_uncounted: { key: { user_id: 1 }, partialFilterExpression: { uncounted: { $exists: true } } },
  /** A user's ended jobs that something must still hear of. */
  user_closing: { key: { user_id: 1 }, partialFilterExpression: { phase: 'closing' } },
  /** Lets an `Idempotency-Key` create only one job. */
  user_idempotency_key: {
    key: { user_id: 1, 'idempotency.key': 1 },
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
  /** The slots of active jobs. It makes the concurrent job limit exact. */
  user_slot: { key: { user_id: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
})

/** The index of each sort order. */
export const BY_ORDER = {
  created_at: jobsBy.user_status_created,
  updated_at: jobsBy.user_status_updated,
  name: jobsBy.user_status_name,
} as const

export const jobIndexes = [...Object.values(jobsBy), dueIndex('jobs')]
