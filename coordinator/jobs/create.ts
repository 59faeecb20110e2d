import { randomUUID } from 'node:crypto'
import type { CreateJobRequest, Job } from '@placefleet/shared/job'
import { canFail, type Logger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { jobCeiling } from '../billing/estimate.ts'
import type { Holds } from '../billing/holds.ts'
import type { PriceRules } from '../billing/price-rules.ts'
import { AppError } from '../http/errors.ts'
import { retryAfterHeaders } from '../http/rate-limit/headers.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { insertInSlot } from '../mongo/slots.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { JobDocument, JobDraft } from './documents.ts'
import type { JobEngine } from './engine.ts'
import { type IdempotentRequest, jobOfKey } from './idempotency.ts'
import { IDEMPOTENCY_INDEX, SLOT_INDEX } from './indexes.ts'
import type { JobStore } from './store.ts'

export type CreateParts = {
  log: Logger
  jobs: JobStore
  tasks: TaskStore
  holds: Holds
  prices: PriceRules
  secrets: SecretBox
  engine: JobEngine
}

export type JobOrder = {
  user_id: string
  source: Job['source']
  paid: boolean
  /** How many jobs the user may have active at once. */
  concurrent_jobs: number
  request: CreateJobRequest
  idempotent?: IdempotentRequest
}

/**
 * Creates a job: writes it unlisted, sets its credits aside, makes its searches, lists it. Whatever fails in between
 * leaves nothing behind, at once or, when the process died, by the sweeper.
 * @throws AppError `insufficient_credits`, `concurrent_job_limit`, or those of `jobOfKey` when a rival was first.
 */
export async function createJob(parts: CreateParts, order: JobOrder): Promise<{ job_id: string; replayed: boolean }> {
  const { prices } = await parts.prices.pricesAt(new Date())
  const draft = draftOf(parts.secrets, order, prices)
  const rival = await claim(parts, draft, order)
  if (rival) return { job_id: rival._id, replayed: true }
  try {
    const ceiling = jobCeiling(order.request, prices)
    const { held } = await parts.holds.place({ user_id: order.user_id, job_id: draft._id, ...ceiling })
    await parts.tasks.create(searchesOf(draft))
    if (!(await parts.jobs.list(draft._id, held))) throw tooSlow()
  } catch (error) {
    await canFail(parts.log, 'undoing a job creation', undo(parts, draft))
    throw error
  }
  void canFail(parts.log, 'releasing the first tasks', parts.engine.advance(draft._id))
  return { job_id: draft._id, replayed: false }
}

/**
 * The job that this key of a user already created; undefined when the key is free.
 * @throws AppError those of `jobOfKey`.
 */
export function firstJob(parts: CreateParts, user_id: string, request: IdempotentRequest) {
  return jobOfKey(parts.jobs.collection, user_id, request, async (job) => {
    if (!(await parts.jobs.isAbandoned(job._id))) return false
    await undo(parts, job)
    return true
  })
}

/**
 * Removes what a creation that ended half way left: its hold, its tasks, then the job itself and with it its key. A job
 * that came to be in the meantime stays.
 */
export async function undo(
  { jobs, tasks, holds }: CreateParts,
  job: Pick<JobDocument, '_id' | 'user_id'>,
): Promise<void> {
  if (!(await jobs.giveUp(job._id))) return
  await holds.release({ user_id: job.user_id, job_id: job._id })
  await tasks.remove(job._id)
  await jobs.remove(job._id)
}

/** Inserts the job under its key and in a free slot; gives the job that has the key when a rival was first. */
async function claim(parts: CreateParts, draft: JobDraft, order: JobOrder): Promise<JobDocument | undefined> {
  const { user_id } = order
  const { collection } = parts.jobs
  for (;;) {
    const first = order.idempotent && (await firstJob(parts, user_id, order.idempotent))
    if (first) return first
    try {
      const inserted = await insertInSlot({
        limit: order.concurrent_jobs,
        indexName: SLOT_INDEX,
        taken: () => collection.distinct('slot', { user_id, slot: { $exists: true } }),
        insert: (slot) => parts.jobs.insert({ ...draft, slot }),
      })
      if (inserted) return undefined
      throw tooManyJobs(order.concurrent_jobs)
    } catch (error) {
      if (!isDuplicateKey(error, IDEMPOTENCY_INDEX)) throw error
    }
  }
}

const tooSlow = () =>
  new AppError('unavailable', 'Creating the job took too long. Nothing was created; try again.', {
    headers: { 'retry-after': '5' },
  })

function tooManyJobs(limit: number): AppError {
  const text = `${limit} jobs are active, which is the most at once. Wait until one has ended, or cancel one.`
  return new AppError('concurrent_job_limit', text, { headers: retryAfterHeaders(60) })
}

function draftOf(secrets: SecretBox, order: JobOrder, prices: JobDocument['prices']): JobDraft {
  const { name, proxies, ...data } = order.request
  return {
    _id: randomUUID(),
    user_id: order.user_id,
    name,
    data,
    proxy_count: proxies.length,
    ...(proxies.length > 0 ? { sealed_proxies: secrets.seal(JSON.stringify(proxies)) } : {}),
    source: order.source,
    paid: order.paid,
    status: 'pending',
    listed: false,
    ...(order.idempotent ? { idempotency: order.idempotent } : {}),
    prices,
    held: 0,
    totals: { places: 0, reviews: 0, images: 0 },
    progress: { discovered: 0, tasks_total: order.request.keywords.length, tasks_done: 0 },
    outcomes: noOutcomes(),
  }
}

const searchesOf = (job: JobDraft) =>
  job.data.keywords.map((keyword, ordinal) => {
    const { _id: job_id, user_id } = job
    return { job_id, user_id, kind: 'discover' as const, ordinal, keyword }
  })
