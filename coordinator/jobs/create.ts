import { coverageOf } from '@placefleet/shared/coverage'
import type { CreateJobRequest, Job } from '@placefleet/shared/job'
import { canFail, type Logger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { currentTraceparent } from '@placefleet/shared/tracing'
import type { Db } from 'mongodb'
import type { UserLimit } from '../accounts/limits.ts'
import type { CreatingKey, Hold, Holds, PlaceHold } from '../billing/ledger/holds.ts'
import { checkMaxCost, FREE, type UnitPrices } from '../billing/prices/cost.ts'
import { jobCeiling, mostListed } from '../billing/prices/estimate.ts'
import type { PriceRules } from '../billing/prices/price-rules.ts'
import type { DemoCity } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { retryAfterHeaders } from '../http/rate-limit.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import { isDatabaseDown, isDuplicateKey } from '../mongo/failures.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { forAgentsOf, newTaskOf, slotsFor, type TaskAgent } from '../tasks/documents.ts'
import { plannedTasks, type References, taskSizeFor } from '../tasks/plan.ts'
import { insertFirstTasks, type NewTask, removeTasks } from '../tasks/store.ts'
import type { Timings } from '../timings.ts'
import { type JobDocument, type JobDraft, jobsBy } from './documents.ts'
import type { JobEngine } from './engine.ts'
import { createOnce, type IdempotentRequest, jobOfKey, keyInUse } from './idempotency.ts'
import { inputsByKey } from './inputs/status.ts'
import { keepProxies, removeProxies, sealProxies } from './proxies.ts'
import { firstSearches } from './search-on.ts'
import { abandonCreation, findJob, insertJob, isStalledCreation, publication, removeJob, takenSlots } from './store.ts'

export type CreateJobDeps = {
  db: Db
  log: Logger
  /** When a coordinator looks at a new job, unless something happens before. */
  timings: Pick<Timings, 'sweepMs'>
  references: Pick<References, 'add' | 'count' | 'remove'>
  holds: Holds
  known: Pick<KnownPlaces, 'countOf'>
  prices: PriceRules
  secrets: SecretBox
  engine: JobEngine
  creationLimit: UserLimit
  /** The connected agents that take tasks. */
  taskAgents: { list(): readonly TaskAgent[] }
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
 * creates its searches, then lists the job. Rolls back when a step fails; when the process dies, the sweeper rolls
 * back.
 * @throws AppError `bad_request` for a demo job without a simulated city, `insufficient_credits`, `key_limit`,
 * `concurrent_job_limit`, `rate_limited`, or those of `jobOfKey`.
 */
export async function createJob(deps: CreateJobDeps, wanted: JobCreation): Promise<CreatedJob> {
  return createOnce(
    () => earlierJob(deps, wanted),
    async () => {
      await deps.creationLimit.take(wanted.user_id)
      const priced = await price(deps, wanted)
      await insert(deps, priced.draft, wanted)
      await complete(deps, priced)
      return { job_id: priced.draft._id }
    },
  )
}

/** What a creation writes: the job, its hold and its encrypted proxies. */
type PricedJob = { draft: JobDraft; placeHold: PlaceHold; sealedProxies: string | undefined }

/**
 * The first step: prices a job and decides on its hold. Writes nothing.
 * @throws AppError when the account or the key cannot pay it.
 */
async function price(deps: CreateJobDeps, wanted: JobCreation): Promise<PricedJob> {
  const { request } = wanted
  const prices = await pricesFor(deps, request)
  checkMaxCost(request, prices)
  const draft = draftOf(wanted, prices, deps.taskAgents.list())
  const sealedProxies = sealProxies(deps.secrets, request.proxies)
  return { draft, placeHold: await deps.holds.prepare(await holdOf(deps, draft, wanted)), sealedProxies }
}

async function pricesFor({ demoCity, prices }: CreateJobDeps, { demo }: CreateJobRequest): Promise<UnitPrices> {
  if (!demo) return prices.current()
  if (demoCity) return FREE
  const message = 'This deployment has no simulated city. Only `npm start` has one: omit `demo`.'
  throw new AppError('bad_request', message, { details: [{ path: 'demo', message }] })
}

async function holdOf(deps: CreateJobDeps, draft: JobDraft, { key }: JobCreation): Promise<Hold> {
  const { _id: job_id, user_id, prices, data } = draft
  const countKnown = () => deps.known.countOf(user_id, data, data.recheck_after, mostListed(data))
  const known_places = data.only_new ? await countKnown() : 0
  return { user_id, job_id, ...jobCeiling({ ...data, known_places }, prices), key }
}

/**
 * The second step: inserts the job under its key and in a free slot.
 * @throws AppError `concurrent_job_limit`, or `idempotency_key_in_use` when a request with the key was faster.
 */
async function insert(deps: CreateJobDeps, draft: JobDraft, { user_id, concurrent_jobs }: JobCreation): Promise<void> {
  try {
    const inserted = await insertInSlot({
      limit: concurrent_jobs,
      index: jobsBy.user_slot,
      taken: () => takenSlots(deps.db, user_id),
      insert: (slot) => insertJob(deps.db, { ...draft, slot }),
    })
    if (!inserted) throw tooManyJobs(concurrent_jobs)
  } catch (error) {
    if (isDuplicateKey(error, jobsBy.user_idempotency_key)) throw keyInUse()
    // A write that was not acknowledged may be stored. The job would hold its key and its slot until a sweep.
    if (isDatabaseDown(error)) await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft))
    throw error
  }
}

/** The third step: places the hold, creates the searches and lists the job, or rolls the creation back. */
async function complete(deps: CreateJobDeps, { draft, placeHold, sealedProxies }: PricedJob): Promise<void> {
  const { _id: job_id } = draft
  let wasRefused = false
  try {
    const { held } = await placeHold().catch((error) => {
      wasRefused = error instanceof AppError
      throw error
    })
    if (sealedProxies !== undefined) await keepProxies(deps.db, job_id, sealedProxies)
    const tasks = [...searchesOf(draft), ...(await collectTasksOf(deps, draft))]
    const listing = publication(deps.db, job_id, held, deps.timings.sweepMs)
    if (!(await insertFirstTasks(deps.db, tasks, listing))) throw tooSlow()
  } catch (error) {
    const isGone = await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft, wasRefused))
    // The write that lists the job may be stored although it was not acknowledged. Then the creation is complete.
    if (isGone !== false) throw error
  }
  void canFail(deps.log, 'releasing the first tasks', deps.engine.reconcile(job_id))
}

/** Returns the job that the request's key created before. Undefined when there is no key, or the key is free. */
async function earlierJob(deps: CreateJobDeps, { user_id, idempotent }: JobCreation) {
  if (!idempotent) return undefined
  const job = await jobOfKey(deps.db, user_id, idempotent, async (stalled) => {
    if (!(await isStalledCreation(deps.db, stalled._id))) return false
    await rollbackCreation(deps, stalled)
    return true
  })
  return job && { job_id: job._id }
}

/**
 * Removes the hold, the tasks, the proxies, the job and the key of a failed creation. Keeps a job that was listed in
 * the meantime, and then returns false. Idempotent. When another process rolled the creation back, this one may have
 * added tasks since.
 * @param hasNoHold whether the hold was refused. Otherwise the ledger notes that none can be placed any more.
 */
export async function rollbackCreation(
  { db, references, holds }: Pick<CreateJobDeps, 'db' | 'references' | 'holds'>,
  job: Pick<JobDocument, '_id' | 'user_id' | 'monitor' | 'data' | 'proxy_count'>,
  hasNoHold = false,
): Promise<boolean> {
  const isLeft = await abandonCreation(db, job._id)
  if (!isLeft && (await findJob(db, job._id))) return false
  if (isLeft && !hasNoHold) await holds.void({ user_id: job.user_id, job_id: job._id })
  await removeTasks(db, job._id)
  if (job.monitor || job.data.places) await references.remove(job._id)
  if (job.proxy_count > 0) await removeProxies(db, job._id)
  await removeJob(db, job._id)
  return true
}

const tooSlow = () =>
  new AppError('unavailable', 'Creating the job took too long. Nothing was created; try again.', {
    headers: { 'retry-after': '5' },
  })

function tooManyJobs(limit: number): AppError {
  const text = `You already have ${limit} active jobs, which is your limit. Wait until one has ended, or cancel one.`
  return new AppError('concurrent_job_limit', text, { headers: retryAfterHeaders(60) })
}

function draftOf(wanted: JobCreation, prices: JobDocument['prices'], agents: readonly TaskAgent[]): JobDraft {
  const { name, proxies, ...request } = wanted.request
  const data = { ...request, coverage: coverageOf(request) }
  const proxy_count = proxies.length
  // How many places an area has is unknown before it is searched.
  const most = Math.min(data.max_results, data.exhaust ? data.max_results : mostListed(data))
  const traceparent = currentTraceparent()
  return {
    _id: timeOrderedUuid(),
    user_id: wanted.user_id,
    name,
    data,
    proxy_count,
    task_size: taskSizeFor(most, slotsFor(agents, forAgentsOf({ data, proxy_count }))),
    source: wanted.source,
    ...(wanted.key && { key_id: wanted.key.id }),
    ...(wanted.monitor && { monitor: wanted.monitor }),
    paid: wanted.paid,
    phase: 'creating',
    status: 'pending',
    listed: false,
    ...(wanted.idempotent ? { idempotency: wanted.idempotent } : {}),
    prices,
    held: 0,
    totals: { places: 0, reviews: 0, images: 0 },
    progress: { discovered: 0, tasks_total: wanted.request.keywords.length, tasks_done: 0 },
    outcomes: noOutcomes(),
    ...(traceparent && { traceparent }),
  }
}

const searchesOf = (draft: JobDraft): NewTask[] =>
  draft.data.exhaust
    ? firstSearches(draft)
    : draft.data.keywords.map((keyword, ordinal) => ({ ...newTaskOf(draft, 'discover'), ordinal, keyword }))

/**
 * Lists the places that a job collects without a search: those that the user named, then those that it probes. Returns
 * the tasks for them. While searches run, the last places wait for those that are listed behind them.
 */
async function collectTasksOf({ references }: CreateJobDeps, draft: JobDraft): Promise<NewTask[]> {
  const { _id: job_id, monitor, data } = draft
  const { probes = [] } = monitor ?? {}
  if (!data.places && probes.length === 0) return []
  const inputs = inputsByKey(data.places ?? [])
  const named = [...inputs.keys()].map((place_key) => ({ place_key }))
  if (named.length > 0) await references.add(job_id, named, { inputs })
  if (probes.length > 0) await references.add(job_id, probes)
  const tasks = plannedTasks(await references.count(job_id), draft.task_size, data.keywords.length > 0)
  return Array.from({ length: tasks }, (_, ordinal) => ({ ...newTaskOf(draft, 'collect'), ordinal }))
}
