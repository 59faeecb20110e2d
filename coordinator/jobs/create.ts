import { coverageOf } from '@placefleet/shared/coverage'
import type { CreateJobRequest, Job } from '@placefleet/shared/job'
import { canFail, type Logger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { currentTraceparent } from '@placefleet/shared/tracing'
import type { UserLimit } from '../accounts/limits.ts'
import type { CreatingKey, Hold, Holds } from '../billing/ledger/holds.ts'
import { checkMaxCost } from '../billing/ledger/spending-limits.ts'
import { FREE, type UnitPrices } from '../billing/prices/cost.ts'
import { jobCeiling, mostListed } from '../billing/prices/estimate.ts'
import type { PriceRules } from '../billing/prices/price-rules.ts'
import { AppError } from '../http/errors.ts'
import { retryAfterHeaders } from '../http/rate-limit.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import { isDatabaseDown, isDuplicateKey } from '../mongo/failures.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { References } from '../tasks/plan.ts'
import type { NewTask, TaskStore } from '../tasks/store.ts'
import type { DemoCity } from './demo-city.ts'
import { type JobDocument, type JobDraft, jobsBy } from './documents.ts'
import type { JobEngine } from './engine.ts'
import { type IdempotentRequest, jobOfKey } from './idempotency.ts'
import { newTaskOf } from './new-tasks.ts'
import { type JobProxies, sealProxies } from './proxies.ts'
import { firstSearches } from './search-on.ts'
import type { JobCreations, JobKeys, JobProgress } from './store.ts'

export type CreateJobDeps = {
  log: Logger
  jobs: JobCreations & JobKeys & Pick<JobProgress, 'find'>
  tasks: TaskStore
  references: Pick<References, 'add' | 'remove'>
  holds: Holds
  known: Pick<KnownPlaces, 'countOf'>
  prices: PriceRules
  secrets: SecretBox
  proxies: Pick<JobProxies, 'keep' | 'remove'>
  engine: JobEngine
  creationLimit: UserLimit
  /** Runs the tasks of demo jobs. Undefined: there are none here. */
  demoCity?: DemoCity | undefined
}

/** A user's request to create a job. */
export type JobCreation = {
  user_id: string
  source: Job['source']
  paid: boolean
  /** The API key of the request; absent for a session. */
  key?: CreatingKey | undefined
  /** The occurrence of a monitor that it is for. */
  monitor?: JobDocument['monitor']
  /** The most active jobs of the user. */
  concurrent_jobs: number
  request: CreateJobRequest
  idempotent?: IdempotentRequest
}

export type CreatedJob = { job_id: string; replayed: boolean }

/**
 * Creates a job, or returns the job that its `Idempotency-Key` created before. A replay spends no token of the job
 * limiter. A creation that must be refused writes nothing. Any other one inserts the job unlisted, holds its credits,
 * creates its searches, then lists the job. Rolls back when a step fails; when the process dies, the sweeper rolls back.
 * @throws AppError `bad_request` for a demo job without a simulated city, `insufficient_credits`, `key_limit`, `concurrent_job_limit`, `rate_limited`, or those of `jobOfKey`.
 */
export async function createJob(deps: CreateJobDeps, creation: JobCreation): Promise<CreatedJob> {
  const first = await replayedJob(deps, creation)
  if (first) return { job_id: first._id, replayed: true }
  await deps.creationLimit.take(creation.user_id)
  const prices = await pricesFor(deps, creation.request)
  checkMaxCost(creation.request, prices)
  const draft = draftOf(creation, prices)
  const sealed = sealProxies(deps.secrets, creation.request.proxies)
  const hold = await holdOf(deps, draft, creation)
  const rival = (await refusal(deps, hold, creation)) ?? (await insertOrReplay(deps, draft, creation))
  if (rival) return { job_id: rival._id, replayed: true }
  await complete(deps, draft, hold, sealed)
  return { job_id: draft._id, replayed: false }
}

async function pricesFor({ demoCity, prices }: CreateJobDeps, { demo }: CreateJobRequest): Promise<UnitPrices> {
  if (!demo) return prices.current()
  if (demoCity) return FREE
  const message = 'This deployment has no simulated city. Only `npm start` has one: omit `demo`.'
  throw new AppError('bad_request', message, { details: [{ path: 'demo', message }] })
}

/**
 * Refuses a creation that its account or its key cannot pay, before anything is written. Returns the job of the same key
 * instead, if another request created it meanwhile and took the credits.
 */
async function refusal(deps: CreateJobDeps, hold: Hold, creation: JobCreation): Promise<JobDocument | undefined> {
  try {
    await deps.holds.check(hold)
    return undefined
  } catch (error) {
    const rival = await replayedJob(deps, creation)
    if (rival) return rival
    throw error
  }
}

/** Returns the hold that a job needs. */
async function holdOf(deps: CreateJobDeps, draft: JobDraft, { key }: JobCreation): Promise<Hold> {
  const { _id: job_id, user_id, prices, data } = draft
  const countKnown = () => deps.known.countOf(user_id, data, data.recheck_after, mostListed(data))
  const known_places = data.only_new ? await countKnown() : 0
  return { user_id, job_id, ...jobCeiling({ ...data, known_places }, prices), key }
}

/** Completes a creation after the insert of the job, or rolls it back. */
async function complete(
  deps: CreateJobDeps,
  draft: JobDraft,
  hold: Hold,
  sealedProxies: string | undefined,
): Promise<void> {
  const { _id: job_id } = draft
  let wasRefused = false
  try {
    const { held } = await deps.holds.reserve(hold).catch((error) => {
      wasRefused = error instanceof AppError
      throw error
    })
    if (sealedProxies !== undefined) await deps.proxies.keep(job_id, sealedProxies)
    await deps.tasks.create(searchesOf(draft))
    const { probes = [] } = draft.monitor ?? {}
    if (probes.length > 0) await deps.references.add(job_id, probes)
    if (!(await deps.jobs.publish(draft._id, held))) throw tooSlow()
  } catch (error) {
    const isGone = await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft, wasRefused))
    // The write that lists the job may be stored although it was not acknowledged. Then the creation is complete.
    if (isGone !== false) throw error
  }
  void canFail(deps.log, 'releasing the first tasks', deps.engine.reconcile(job_id))
}

/** Returns the job that the creation's key created before. Undefined when there is no key, or the key is free. */
async function replayedJob(deps: CreateJobDeps, creation: JobCreation): Promise<JobDocument | undefined> {
  const { user_id, idempotent } = creation
  if (!idempotent) return undefined
  return jobOfKey(deps.jobs, user_id, idempotent, async (job) => {
    if (!(await deps.jobs.isStalledCreation(job._id))) return false
    await rollbackCreation(deps, job)
    return true
  })
}

/**
 * Removes the hold, the tasks, the proxies, the job and the key of a failed creation. Keeps a job that was listed in
 * the meantime, and then returns false. Idempotent. When another process rolled the creation back, this one may have
 * added tasks since.
 * @param hasNoHold whether the hold was refused. Otherwise the ledger notes that none can be placed any more.
 */
export async function rollbackCreation(
  {
    jobs,
    tasks,
    references,
    holds,
    proxies,
  }: Pick<CreateJobDeps, 'jobs' | 'tasks' | 'references' | 'holds' | 'proxies'>,
  job: Pick<JobDocument, '_id' | 'user_id' | 'monitor' | 'proxy_count'>,
  hasNoHold = false,
): Promise<boolean> {
  const isLeft = await jobs.abandon(job._id)
  if (!isLeft && (await jobs.find(job._id))) return false
  if (isLeft && !hasNoHold) await holds.void({ user_id: job.user_id, job_id: job._id })
  await tasks.remove(job._id)
  if (job.monitor) await references.remove(job._id)
  if (job.proxy_count > 0) await proxies.remove(job._id)
  await jobs.remove(job._id)
  return true
}

/**
 * Inserts the job under its key and in a free slot. Returns the other job when another request with the key was first.
 */
async function insertOrReplay(
  deps: CreateJobDeps,
  draft: JobDraft,
  creation: JobCreation,
): Promise<JobDocument | undefined> {
  for (;;) {
    try {
      const inserted = await insertInSlot({
        limit: creation.concurrent_jobs,
        index: jobsBy.user_slot,
        taken: () => deps.jobs.takenSlots(creation.user_id),
        insert: (slot) => deps.jobs.insert({ ...draft, slot }),
      })
      if (inserted) return undefined
      throw tooManyJobs(creation.concurrent_jobs)
    } catch (error) {
      if (!isDuplicateKey(error, jobsBy.user_idempotency_key)) {
        // A write that was not acknowledged may be stored. The job would hold its key and its slot until a sweep.
        if (isDatabaseDown(error)) await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft))
        throw error
      }
      const rival = await replayedJob(deps, creation)
      if (rival) return rival
    }
  }
}

const tooSlow = () =>
  new AppError('unavailable', 'Creating the job took too long. Nothing was created; try again.', {
    headers: { 'retry-after': '5' },
  })

function tooManyJobs(limit: number): AppError {
  const text = `You already have ${limit} active jobs, which is your limit. Wait until one has ended, or cancel one.`
  return new AppError('concurrent_job_limit', text, { headers: retryAfterHeaders(60) })
}

function draftOf(creation: JobCreation, prices: JobDocument['prices']): JobDraft {
  const { name, proxies, ...request } = creation.request
  const data = { ...request, coverage: coverageOf(request) }
  const traceparent = currentTraceparent()
  return {
    _id: timeOrderedUuid(),
    user_id: creation.user_id,
    name,
    data,
    proxy_count: proxies.length,
    source: creation.source,
    ...(creation.key && { key_id: creation.key.id }),
    ...(creation.monitor && { monitor: creation.monitor }),
    paid: creation.paid,
    phase: 'creating',
    status: 'pending',
    listed: false,
    ...(creation.idempotent ? { idempotency: creation.idempotent } : {}),
    prices,
    held: 0,
    totals: { places: 0, reviews: 0, images: 0 },
    progress: { discovered: 0, tasks_total: creation.request.keywords.length, tasks_done: 0 },
    outcomes: noOutcomes(),
    ...(traceparent && { traceparent }),
  }
}

const searchesOf = (draft: JobDraft): NewTask[] =>
  draft.data.exhaust
    ? firstSearches(draft)
    : draft.data.keywords.map((keyword, ordinal) => ({ ...newTaskOf(draft, 'discover'), ordinal, keyword }))
