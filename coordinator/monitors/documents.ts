import type { Job } from '@placefleet/shared/job'
import type { Collection, Db } from 'mongodb'
import type { MicroCredits } from '../billing/prices/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { IdempotentRequest } from '../jobs/idempotency.ts'
import { collection } from '../mongo/connect.ts'
import { dueIndex, type Lease } from '../mongo/due-work.ts'
import { indexesOf } from '../mongo/indexes.ts'
import type { SealedField } from '../secrets/store.ts'
import type { Misses } from './changes/detection.ts'
import type { ChangeType } from './changes/rules.ts'
import type { Schedule } from './schedule.ts'

/**
 * The states of a run. `due`: its job must be created. `started`: its job runs. `skipped`: it got no job; the reason says
 * why. `due` and `started` are active, the others final.
 */
export const RUN_STATES = ['due', 'started', 'completed', 'failed', 'cancelled', 'skipped'] as const
type RunState = (typeof RUN_STATES)[number]

/** A job that is created again and again. */
export type MonitorDocument = {
  _id: string
  user_id: string
  /** Its number among the user's monitors, unique for the user. This makes their limit exact. Absent once deleted. */
  slot?: number
  name: string
  /** The request of its jobs without the proxies. */
  job: JobDocument['data'] & { name: string }
  proxy_count: number
  /** How it was created: its jobs count as created the same way, and for the limits of the same key, revoked or not. */
  source: Job['source']
  key_id?: string
  schedule: Schedule
  /** Where the intervals of `every` begin. */
  anchor: Date
  jitter_seconds: number
  ends_at?: Date
  /** Whether changes of the rating and of the number of reviews are reported. */
  watch_ratings?: boolean
  paused?: true
  pause_reason?: string
  /** When the service paused it, and whether its user heard of that. Absent when its user paused it. */
  paused_at?: Date
  pause_announced?: true
  /** The moment up to which every occurrence was decided: it has a run, or was not wanted. */
  watermark: Date
  /** When a coordinator must look at it next, and the last one that did. Absent: nothing will be due. */
  due_at?: Date
  lease?: Lease
  /** Runs that failed one after the other, and when the last run that this counts began. */
  failures: number
  counted_at?: Date
  /** When the last run began whose places were compared with the known ones. */
  compared_at?: Date
  /** What its runs that searched everything missed. Absent before the first one. */
  misses?: Misses
  /** The `Idempotency-Key` that created it, and until when. */
  idempotency?: IdempotentRequest & { expires_at: Date }
  /** When its user deleted it. Nobody sees it any more, and it is removed once its run has ended. */
  deleted_at?: Date
  created_at: Date
  updated_at: Date
}

/** What a run found and cost. */
type RunFigures = Record<ChangeType, number> & { places: number; cost: MicroCredits }

/** One occurrence of a monitor, or one run by hand. Its id is made of the monitor and the time, so it is decided once. */
export type RunDocument = {
  _id: string
  monitor_id: string
  user_id: string
  /** The time of the occurrence. For a run by hand, when it was requested. */
  at: Date
  /** `at`, later by the jitter. */
  begins_at: Date
  /** When a coordinator began it. Runs of a monitor follow each other in this order. Absent: skipped. */
  began_at?: Date
  state: RunState
  /** Present while it is active. A unique index allows one such run a monitor. */
  active?: true
  /** When a coordinator must look at it next, and the last one that did. After its end: it is not compared yet. */
  due_at?: Date
  lease?: Lease
  by_hand?: true
  /** The `Idempotency-Key` of the request that began it. */
  idempotency_key?: string
  job_id?: string
  reason?: string
  figures?: RunFigures
  started_at?: Date
  ended_at?: Date
}

export type RunEnd = Pick<RunDocument, 'monitor_id' | 'user_id' | 'at' | 'began_at' | 'state' | 'figures'> & {
  job_id?: string | undefined
  reason?: string | undefined
}

/**
 * A monitor as it is stored. Its encrypted proxies change with its job in one write. Only who creates its jobs reads
 * them.
 */
export type MonitorWithProxies = MonitorDocument & { sealed_proxies?: string }

export const monitorsOf = (db: Db): Collection<MonitorWithProxies> => collection(db, 'monitors')

/** The projection of every other read. */
export const WITHOUT_PROXIES = { projection: { sealed_proxies: 0 } } as const

export const runsOf = (db: Db): Collection<RunDocument> => collection(db, 'monitor_runs')

/** How long other coordinators leave a monitor or a run alone that one looks at. */
export const LOOK_MS = 60_000

/** The sealed field of monitors: the proxies of their jobs. */
export const monitorSealedFields: readonly SealedField[] = [{ collection: 'monitors', field: 'sealed_proxies' }]

export const monitorsBy = indexesOf('monitors', {
  /** Makes the limit of monitors exact. It also lists a user's monitors. */
  user_slot: { key: { user_id: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
  /** Lets an `Idempotency-Key` create one monitor. */
  user_idempotency_key: {
    key: { user_id: 1, 'idempotency.key': 1 },
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
})

export const runsBy = indexesOf('monitor_runs', {
  monitor_at: { key: { monitor_id: 1, at: 1 } },
  /** All runs by their age. */
  at: { key: { at: 1 } },
  /** Allows one active run a monitor. */
  monitor_active: { key: { monitor_id: 1, active: 1 }, unique: true, partialFilterExpression: { active: true } },
  /** Lets an `Idempotency-Key` begin one run. */
  user_idempotency_key: {
    key: { user_id: 1, idempotency_key: 1 },
    unique: true,
    partialFilterExpression: { idempotency_key: { $exists: true } },
  },
})

export const monitorIndexes = [
  ...[...Object.values(monitorsBy), dueIndex('monitors')],
  ...[...Object.values(runsBy), dueIndex('monitor_runs')],
]

export const runId = (monitor_id: string, at: Date): string => `${monitor_id} ${at.toISOString()}`
