import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { type JobDocument, jobsOf } from './documents.ts'
import { IN_CREATION } from './phase.ts'

/** An `Idempotency-Key` and the fingerprint of its request's body. */
export type IdempotentRequest = { key: string; fingerprint: string }

/** How long an `Idempotency-Key` belongs to the job, or to the run of a monitor, that it began. */
export const KEY_WINDOW_HOURS = 24

const MAX_KEY_BYTES = 255

/**
 * The header in the API description. `idempotencyKey` validates it, because the schema cannot detect repeated headers.
 */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .meta({ minLength: 1, maxLength: MAX_KEY_BYTES })
    .optional()
    .describe(`1 to ${MAX_KEY_BYTES} bytes; the same key with the same body counts once within 24 hours`),
})

/**
 * Returns the key of a request, given the values of all its `Idempotency-Key` headers; undefined without one. Node
 * turns each byte of a header into one character, so the length is in bytes.
 * @throws AppError `bad_request` for more than one key, an empty one, or one over 255 bytes.
 */
export function idempotencyKey(values: readonly string[] = []): string | undefined {
  const [key, another] = values
  if (key === undefined) return undefined
  if (another !== undefined || key === '' || key.length > MAX_KEY_BYTES) {
    throw new AppError('bad_request', `Idempotency-Key must be one value of 1 to ${MAX_KEY_BYTES} bytes.`)
  }
  return key
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The fingerprint of the request body, as it was sent. */
    fingerprint: string
  }
}

/** A hook that runs before validation adds defaults: a request that omits a field differs from one that sets it. */
export async function keepFingerprint(request: FastifyRequest): Promise<void> {
  request.fingerprint = fingerprint(request.body)
}

/**
 * Returns the key of a request with its fingerprint, which `keepFingerprint` kept; undefined without a key.
 * @throws AppError `bad_request` like `idempotencyKey`.
 */
export function idempotentRequest({ raw, fingerprint }: FastifyRequest): IdempotentRequest | undefined {
  const key = idempotencyKey(raw.headersDistinct['idempotency-key'])
  return key === undefined ? undefined : { key, fingerprint }
}

/**
 * Returns what the key of a request created before, or creates it. Requests with one key may come at the same moment:
 * all but one then fail at a unique index, or at what the first one took, such as the last slot or the credits. They
 * get what the first one created.
 * @param find looks for it by the key of the request; undefined: the request has none, or it is free.
 * @throws the errors of `find` and `create`.
 */
export async function createOnce<Created extends object>(
  find: () => Promise<Created | undefined>,
  create: () => Promise<Created>,
): Promise<Created & { replayed: boolean }> {
  const earlier = await find()
  if (earlier) return { ...earlier, replayed: true }
  try {
    return { ...(await create()), replayed: false }
  } catch (error) {
    const first = (error instanceof AppError || isDuplicateKey(error)) && (await find())
    if (first) return { ...first, replayed: true }
    throw error
  }
}

/**
 * Returns the job that a key created before, for a replay. Returns undefined when the key is free.
 * @param rollbackIfStalled rolls back a creation that died, which frees its key. Returns whether it did.
 * @throws AppError when another request with the key is still running, or when its body was different.
 */
export async function jobOfKey(
  db: Db,
  user_id: string,
  request: IdempotentRequest,
  rollbackIfStalled: (job: JobDocument) => Promise<boolean>,
): Promise<JobDocument | undefined> {
  const job = await findByKey(db, user_id, request.key)
  if (!job?.idempotency) return undefined
  const isCreated = !IN_CREATION.includes(job.phase)
  if (!isCreated && (await rollbackIfStalled(job))) return undefined
  if (job.key_has_expired) {
    await forgetKey(db, job._id)
    return undefined
  }
  if (job.idempotency.fingerprint !== request.fingerprint) throw keyOfOther('with a different body', 'job')
  if (isCreated) return job
  throw keyInUse()
}

/** The failure of a request whose key belongs to another request. */
export const keyOfOther = (use: 'with a different body' | 'for another monitor', what: 'job' | 'monitor' | 'run') => {
  const text = `This Idempotency-Key was used ${use}. Use a new key for a new ${what}.`
  return new AppError('idempotency_key_in_use_with_different_body', text)
}

/** The failure of a request whose key belongs to one that still runs. */
export const keyInUse = (): AppError => {
  const text = 'The first request with this Idempotency-Key is still running. Try again in a second.'
  return new AppError('idempotency_key_in_use', text, { headers: { 'retry-after': '1' } })
}

/**
 * Returns the SHA-256 of a parsed body with sorted object keys. Requests with the same fingerprint count as the same
 * request.
 */
export function fingerprint(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/** The job that a user's `Idempotency-Key` created, and whether the key has expired. */
export async function findByKey(
  db: Db,
  user_id: string,
  key: string,
): Promise<(JobDocument & { key_has_expired: boolean }) | undefined> {
  const expired = { $set: { key_has_expired: { $lt: ['$idempotency.expires_at', '$$NOW'] } } }
  const stages = [{ $match: { user_id, 'idempotency.key': key } }, expired]
  const [job] = await jobsOf(db).aggregate<JobDocument & { key_has_expired: boolean }>(stages).toArray()
  return job
}

/** Frees the key of a job. */
async function forgetKey(db: Db, job_id: string): Promise<void> {
  await jobsOf(db).updateOne({ _id: job_id }, { $unset: { idempotency: '' } })
}
