import type { Collection } from 'mongodb'
import { AppError } from '../http/errors.ts'
import type { JobDocument } from './documents.ts'

/** How long a key stands for the job it created (SPEC, "Idempotency"). */
export const KEY_WINDOW_HOURS = 24

/** A client's `Idempotency-Key` with what it was sent with. */
export type IdempotentRequest = { key: string; fingerprint: string }

const MAX_KEY_BYTES = 255

/**
 * The key among the values of all `Idempotency-Key` headers of a request; undefined when there is none. Node gives a
 * header's bytes as one character each, so that its length is in bytes.
 * @throws AppError `bad_request` when there is more than one, or it is empty or over 255 bytes.
 */
export function idempotencyKey(values: readonly string[] = []): string | undefined {
  const [key, another] = values
  if (key === undefined) return undefined
  if (another !== undefined || key === '' || key.length > MAX_KEY_BYTES) {
    throw new AppError('bad_request', `Idempotency-Key must be one value of 1 to ${MAX_KEY_BYTES} bytes.`)
  }
  return key
}

type Found = JobDocument & { key_is_over: boolean }

const KEY_AGE = { $set: { key_is_over: { $lt: ['$idempotency.expires_at', '$$NOW'] } } }

/**
 * The job that a key already created, whose answer is to be replayed. Undefined: the key is free.
 * @param undoIfDead removes a job whose creation died, and says whether it did: that frees its key.
 * @throws AppError when the key is in use, by a request still under way or by one with another body.
 */
export async function jobOfKey(
  jobs: Collection<JobDocument>,
  user_id: string,
  request: IdempotentRequest,
  undoIfDead: (job: JobDocument) => Promise<boolean>,
): Promise<JobDocument | undefined> {
  const [job] = await jobs
    .aggregate<Found>([{ $match: { user_id, 'idempotency.key': request.key } }, KEY_AGE])
    .toArray()
  if (!job?.idempotency) return undefined
  const isCreated = job.listed || job.deleted_at !== undefined
  if (!isCreated && (await undoIfDead(job))) return undefined
  if (job.key_is_over) {
    await jobs.updateOne({ _id: job._id }, { $unset: { idempotency: '' } })
    return undefined
  }
  if (job.idempotency.fingerprint !== request.fingerprint) {
    const text = 'This Idempotency-Key was used with a different body. Use a new key for a new job.'
    throw new AppError('idempotency_key_in_use_with_different_body', text)
  }
  if (isCreated) return job
  const text = 'The first request with this Idempotency-Key is still running. Try again in a second.'
  throw new AppError('idempotency_key_in_use', text, { headers: { 'retry-after': '1' } })
}
