import type { Logger } from '@placefleet/shared/log'
import { z } from 'zod'
import { creditString } from '../billing/cost.ts'
import { costLimit } from '../billing/spending-limits.ts'
import type { SpendingLimits } from '../http/authentication.ts'
import { type CreateJobDeps, createJob, type SeriesPlan } from '../jobs/create.ts'
import type { JobDocument } from '../jobs/documents.ts'
import { IN_CREATION } from '../jobs/phase.ts'
import type { ChangeStore } from './changes/store.ts'
import type { MonitorDocument } from './documents.ts'
import type { AnnouncePause } from './run-end.ts'
import type { RunStore } from './run-store.ts'
import type { SeriesDocument } from './series/documents.ts'
import { nextParts } from './series/exhaustion.ts'
import { leftOf } from './series/job-end.ts'
import type { SeriesStore } from './series/store.ts'
import type { MonitorStore } from './store.ts'

export type MonitorDeps = Omit<CreateJobDeps, 'creationLimit'> & {
  log: Logger
  announcePause: AnnouncePause
  monitors: MonitorStore
  runs: RunStore
  series: SeriesStore
  changes: Pick<ChangeStore, 'suspects' | 'remove'>
  /** Whether a user pays, and the limits of the key that created the monitor. */
  creatorOf(user_id: string, key_id: string | undefined): Promise<{ paid: boolean; limits: SpendingLimits }>
  concurrentJobs: { free: number; paid: number }
  /** Records the end of a job of a monitor. Safe to repeat. */
  recordRunEnd(job: JobDocument): Promise<void>
  /** Ends the run of a series that has ended. Safe to repeat. */
  endSeries(series: SeriesDocument): Promise<void>
}

/**
 * Returns the idempotency key of a job of an occurrence. A header cannot contain a line break, so no user can send this
 * key.
 */
export const jobKey = (monitor_id: string, at: Date, number = 1): string =>
  ['monitor', monitor_id, at.toISOString(), ...(number > 1 ? [number] : [])].join('\n')

/** Returns the job that was created under a key. Unlike a request of a user, it is the same job for ever. */
export async function createdJob(
  { jobs }: Pick<MonitorDeps, 'jobs'>,
  user_id: string,
  key: string,
): Promise<string | undefined> {
  const job = await jobs.findByKey(user_id, key)
  return job && !IN_CREATION.includes(job.phase) ? job._id : undefined
}

/** Places that one run looks at directly, at most. Each is billed as one place. */
const MAX_LOOKS = 50

/**
 * Creates the job of an occurrence, or the first job of its series. Returns the existing one if it was created before.
 * @throws the AppErrors of `createJob`.
 */
export async function createRun(deps: MonitorDeps, monitor: MonitorDocument, at: Date): Promise<string> {
  const { _id: monitor_id, job, sealed_proxies } = monitor
  const looks = await deps.changes.suspects(monitor_id, Math.min(MAX_LOOKS, job.max_results))
  const looking = looks.length > 0 ? { looks } : {}
  if (!monitor.exhaust) {
    return createMonitorJob(deps, monitor, { job, sealed_proxies, monitor: { id: monitor_id, at, ...looking } })
  }
  return createSeriesJob(deps, monitor, await openSeries(deps, monitor, at), looking)
}

/** Returns the series of an occurrence. Begins it if it does not exist. */
export function openSeries({ series }: MonitorDeps, monitor: MonitorDocument, at: Date): Promise<SeriesDocument> {
  const { _id: monitor_id, user_id, job, sealed_proxies, max_cost } = monitor
  return series.open({
    monitor_id,
    user_id,
    at,
    job,
    ...(sealed_proxies !== undefined && { sealed_proxies }),
    ...(max_cost !== undefined && { max_cost }),
  })
}

/**
 * Creates the current job of a series. Returns the existing one if it was created before.
 * @throws the AppErrors of `createJob`.
 */
export async function createSeriesJob(
  deps: MonitorDeps,
  monitor: MonitorDocument,
  series: SeriesDocument,
  looking: Pick<NonNullable<JobDocument['monitor']>, 'looks'> = {},
): Promise<string> {
  const { monitor_id: id, at, number, sealed_proxies, job } = series
  const limit = Math.min(costLimit(job), leftOf(series))
  const capped = Number.isFinite(limit) ? { max_cost: creditString(limit) } : {}
  return createMonitorJob(deps, monitor, {
    job: { ...job, ...capped, coverage: 'cells' },
    sealed_proxies,
    monitor: { id, at, number, ...looking },
    plan: await planOf(deps, series),
  })
}

/** Places handed to a job, per place that it may store. More than 1, because some turn out unreadable. */
const LISTED_PER_PLACE = 1.2

/** Places handed to a job that drops an unknown share of them by their website, at most. */
const MOST_LISTED = 2_000

/** Returns what the current job of a series searches and collects. It searches once few listed places are left. */
async function planOf({ series: store }: MonitorDeps, { _id, job }: SeriesDocument): Promise<SeriesPlan> {
  const most = job.website_filter === 'all' ? Math.ceil(job.max_results * LISTED_PER_PLACE) : MOST_LISTED
  const listed = await store.waiting(_id, most)
  if (listed.length >= Math.min(most, job.max_results)) return { listed, parts: new Map() }
  return { listed, parts: nextParts(await store.cells(_id), job.keywords, _id) }
}

type MonitorJob = {
  job: MonitorDocument['job']
  sealed_proxies: string | undefined
  monitor: NonNullable<JobDocument['monitor']>
  plan?: SeriesPlan
}

const Proxies = z.array(z.string())

async function createMonitorJob(
  deps: MonitorDeps,
  { user_id, source, key_id }: MonitorDocument,
  { job, sealed_proxies, monitor, plan }: MonitorJob,
): Promise<string> {
  const key = jobKey(monitor.id, monitor.at, monitor.number)
  const created = await createdJob(deps, user_id, key)
  if (created !== undefined) return created
  const { paid, limits } = await deps.creatorOf(user_id, key_id)
  const proxies = sealed_proxies === undefined ? [] : Proxies.parse(JSON.parse(deps.secrets.open(sealed_proxies)))
  const { job_id } = await createJob(
    { ...deps, creationLimit: { take: async () => undefined } },
    {
      user_id,
      source,
      paid,
      monitor,
      ...(plan && { plan }),
      ...(key_id !== undefined && { key: { id: key_id, limits } }),
      concurrent_jobs: deps.concurrentJobs[paid ? 'paid' : 'free'],
      request: { ...job, proxies },
      idempotent: { key, fingerprint: 'monitor' },
    },
  )
  return job_id
}
