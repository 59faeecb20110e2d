import { randomUUID } from 'node:crypto'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { microCredits } from '@placefleet/coordinator/billing/cost'
import { grant } from '@placefleet/coordinator/billing/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/store'
import type { DeliveryDocument } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { Db } from 'mongodb'
import { z } from 'zod'

/** The smallest body that creates a job. */
export const JOB = { name: 'a job', keywords: ['cafe'], language: 'en' }

/** A user of a coordinator's API. */
export type Caller = { user_id: string; key: string; key_id: string }

/** Creates a new user with one key and so many credits. */
export async function addUser(db: Db, credits = 1_000): Promise<Caller> {
  const { _id: user_id } = await createUser(db, { email: `${randomUUID()}@example.com` })
  const { key, document } = await createApiKey(db, user_id, { name: 'test' })
  if (credits > 0) await addCredits(db, user_id, credits)
  return { user_id, key, key_id: document._id }
}

/** Gives a user credits. */
export async function addCredits(db: Db, user_id: string, credits: number): Promise<void> {
  await grant(createLedger(mongoLedgerStore(db)), {
    user_id,
    amount: microCredits(String(credits)),
    type: 'bonus',
    reference: { reference_type: 'grant', reference_id: randomUUID() },
    description: 'for a test',
  })
}

/** Returns the cookie of a new session of a user. */
export const cookieOf = async (db: Db, user_id: string): Promise<string> =>
  `placefleet_session=${(await createSession(db, user_id)).secret}`

/** Returns a delivery that failed in all its attempts. */
export const failedDelivery = (
  about: Pick<DeliveryDocument, 'user_id' | 'webhook_id'> & { job_id: string },
): DeliveryDocument => ({
  _id: randomUUID(),
  ...about,
  event_type: 'job.completed',
  body: '{}',
  status: 'failed',
  due_at: new Date(),
  attempt_count: 5,
  max_attempts: 5,
  attempts: [],
  by_hand: false,
  counted: [],
  created_at: new Date(),
  ended_at: new Date(),
})

export type Ask = {
  key?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

/** Calls an API; the body is parsed when it is JSON. */
export async function ask(url: string, method: string, path: string, options: Ask = {}): Promise<Answer> {
  const { key, body, rawBody, headers } = options
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined && rawBody === undefined ? {} : { body: rawBody ?? JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json;') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** The body of every failure: nothing else may be in it (SPEC and DECISIONS, "Errors"). */
export const Failure = z.strictObject({
  code: z.int(),
  message: z.string().min(10),
  error: z.string().optional(),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
})

/** What must never appear in an answer: traces, our files, names of our dependencies. */
export const INTERNALS =
  /\bat \S+ \(|node_modules|\.[cm]?[jt]s:\d|node:internal|E11000|Mongo(Server|Network|Error)|ZodError|FST_ERR|ECONN|NatsError/
