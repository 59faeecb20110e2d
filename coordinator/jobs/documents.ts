import type { Area } from '@placefleet/shared/great-circle'
import type { CreateJobRequest, Job, JobData } from '@placefleet/shared/job'
import type { JobStatus } from '@placefleet/shared/job-status'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Db } from 'mongodb'
import type { MicroCredits } from '../billing/money.ts'
import type { UnitPrices } from '../billing/unit-prices.ts'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { SealedField } from '../secrets/documents.ts'

/** A job as it is stored. Only a compare-and-set on its `status` moves it from one state to the next. */
export type JobDocument = {
  _id: string
  user_id: string
  name: string
  /** What was asked for, less the proxies, which are encrypted beside it. */
  data: Omit<CreateJobRequest, 'name' | 'proxies'>
  proxy_count: number
  sealed_proxies?: string
  source: Job['source']
  /** Whether its user paid when it was created. */
  paid: boolean
  status: JobStatus
  /** True from the end of its creation to its deletion: only then it can be seen. */
  listed: boolean
  /** Its creation failed, or died: it is being removed, and can no longer be listed. */
  given_up?: true
  /** The place among its user's active jobs, unique for the user: this is how the concurrent job limit is exact. */
  slot?: number
  idempotency?: { key: string; fingerprint: string; expires_at: Date }
  prices: UnitPrices
  /** What was set aside for it in the ledger when it was created. */
  held: MicroCredits
  /** What is stored so far. Each number only rises. */
  totals: ResultTotals
  /** The next place would cost more than is held. */
  spent?: boolean
  /** Charged in the end; while the job runs, its cost follows from `totals`. */
  total_cost?: MicroCredits
  progress: { discovered: number; tasks_total: number; tasks_done: number }
  outcomes: Job['outcomes']
  /** Absent on jobs of before they were counted. */
  website_visits?: WebsiteVisits
  failure_reason?: string
  cancel_reason?: 'user' | 'timeout'
  partial?: boolean
  created_at: Date
  /** When the status last changed. */
  updated_at: Date
  started_at?: Date
  deadline_at?: Date
  aborted_at?: Date
  ended_at?: Date
  /** When everything that its end entails was done; a sweeper goes on until then. */
  closed_at?: Date
  deleted_at?: Date
  /** When what the deleted job had stored was removed. */
  purged_at?: Date
  /** When a sweeper last looked at it. */
  swept_at?: Date
}

/** A job before it is stored, which is when its time begins. */
export type JobDraft = Omit<JobDocument, 'created_at' | 'updated_at' | 'idempotency'> & {
  idempotency?: Omit<NonNullable<JobDocument['idempotency']>, 'expires_at'>
}

export const jobsOf = (db: Db): Collection<JobDocument> => collection(db, 'jobs')

/** The index that makes an `Idempotency-Key` create one job at most. */
export const IDEMPOTENCY_KEY = { user_id: 1, 'idempotency.key': 1 } as const

/** The index that makes the concurrent job limit exact. */
export const SLOT_KEY = { user_id: 1, slot: 1 } as const

/** Jobs hold their proxies, sealed. */
export const jobSealedFields: readonly SealedField[] = [{ collection: 'jobs', field: 'sealed_proxies' }]

/** What jobs are found by, and what makes them unique. */
export const jobIndexes: readonly Index[] = [
  { collection: 'jobs', name: 'user_created', key: { user_id: 1, listed: 1, created_at: -1, _id: -1 } },
  { collection: 'jobs', name: 'status_swept', key: { status: 1, swept_at: 1 } },
  { collection: 'jobs', name: 'status_deadline', key: { status: 1, deadline_at: 1 } },
  { collection: 'jobs', name: 'listed_created', key: { listed: 1, created_at: 1 } },
  {
    collection: 'jobs',
    name: 'user_idempotency_key',
    key: IDEMPOTENCY_KEY,
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
  {
    collection: 'jobs',
    name: 'user_slot',
    key: SLOT_KEY,
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  },
]

/** Where a job looks, in numbers; the API has them as strings, empty for none. */
export const areaOf = ({ lat, lon, radius }: Pick<JobData, 'lat' | 'lon' | 'radius'>): Area => ({
  latitude: lat === '' ? undefined : Number(lat),
  longitude: lon === '' ? undefined : Number(lon),
  radius,
})
