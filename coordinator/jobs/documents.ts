import type { CreateJobRequest, Job } from '@placefleet/shared/job'
import type { JobStatus } from '@placefleet/shared/job-status'
import type { MicroCredits } from '../billing/money.ts'
import type { UnitPrices } from '../billing/unit-prices.ts'
import type { ResultTotals } from '../results/documents.ts'

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
