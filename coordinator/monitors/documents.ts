import type { Job } from '@placefleet/shared/job'
import type { Collection, Db } from 'mongodb'
import type { JobDocument } from '../jobs/documents.ts'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'
import type { SealedField } from '../secrets/documents.ts'
import type { Schedule } from './schedule.ts'
import type { SeriesProgress } from './series/progress.ts'

/** How an occurrence of a monitor ended, or why it did not begin. */
export const RUN_STATES = [
  'started',
  'completed',
  'failed',
  'cancelled',
  'skipped_overlap',
  'skipped_credits',
  'skipped_limit',
  'missed',
] as const
export type RunState = (typeof RUN_STATES)[number]

/** A run. `series`: the progress of the jobs that exhaust its area. */
export type Run = { at: Date; state: RunState; job_id?: string; reason?: string; series?: SeriesProgress }

/** A job that is created again and again. */
export type MonitorDocument = {
  _id: string
  user_id: string
  /** Its number among the user's monitors, unique for the user. This makes their limit exact. */
  slot: number
  name: string
  /** The request of its jobs without the proxies, which are encrypted beside it. */
  job: JobDocument['data'] & { name: string }
  proxy_count: number
  sealed_proxies?: string
  /** How it was created: its jobs count as created the same way, and for the limits of the same key, revoked or not. */
  source: Job['source']
  key_id?: string
  schedule: Schedule
  /** Where the intervals of `every` begin. */
  anchor: Date
  jitter_seconds: number
  ends_at?: Date
  /** Whether each run is a series of jobs that exhausts the area, and the credits that all jobs of a run may cost. */
  exhaust?: boolean
  max_cost?: string
  /** Whether changes of the rating and of the number of reviews are reported. */
  watch_ratings?: boolean
  paused?: true
  pause_reason?: string
  /** When the service paused it. Absent when its user did. */
  paused_at?: Date
  /** The last occurrence that was evaluated. Each one is evaluated once. */
  watermark: Date
  /** The occurrence whose job must be created. */
  starting?: { at: Date }
  /** The occurrence whose series goes on: its job with this number must be created. A pause does not change this. */
  continuing?: { at: Date; number: number }
  /** The occurrence whose job runs, and the number of that job in its series. */
  running?: { at: Date; job_id: string; number?: number }
  /** Runs that were decided with the watermark but are not in their own collection yet. */
  unrecorded?: Run[]
  last_run?: Run
  /** Runs that failed one after the other. */
  failures: number
  /** The last run whose places were compared with the known ones. */
  compared_at?: Date
  /** Compared runs that searched everything. */
  whole_runs?: number
  /** Whether a place that was never seen before counts as new. */
  knows_area?: boolean
  /** When a coordinator must look at it next. Absent: nothing will be due. */
  due_at?: Date
  /** When a coordinator last looked at it. */
  looked_at?: Date
  created_at: Date
  updated_at: Date
}

/** One occurrence of a monitor. Its id is made of the monitor and the time, so it is written once. */
export type RunDocument = Run & { _id: string; monitor_id: string }

export const monitorsOf = (db: Db): Collection<MonitorDocument> => collection(db, 'monitors')

export const runsOf = (db: Db): Collection<RunDocument> => collection(db, 'monitor_runs')

/** The index that makes the limit of monitors exact. It also lists a user's monitors. */
export const SLOT_KEY = { user_id: 1, slot: 1 } as const
export const SLOT_INDEX = 'user_slot'

/** The index of the monitors that a coordinator must look at. */
export const DUE_INDEX = 'due'
export const DUE_KEY = { due_at: 1 } as const

/** The index of the runs of a monitor. */
export const RUNS_INDEX = 'monitor_at'

/** The sealed field of monitors: the proxies of their jobs. */
export const monitorSealedFields: readonly SealedField[] = [{ collection: 'monitors', field: 'sealed_proxies' }]

export const monitorIndexes: readonly Index[] = [
  { collection: 'monitors', name: SLOT_INDEX, key: SLOT_KEY, unique: true },
  {
    collection: 'monitors',
    name: DUE_INDEX,
    key: DUE_KEY,
    partialFilterExpression: { due_at: { $exists: true } },
    hinted: true,
  },
  { collection: 'monitor_runs', name: RUNS_INDEX, key: { monitor_id: 1, at: 1 }, hinted: true },
]

/** Returns the identity of an occurrence. */
export const runId = (monitor_id: string, at: Date): string => `${monitor_id} ${at.toISOString()}`
