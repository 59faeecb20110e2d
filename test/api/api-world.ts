import { randomUUID } from 'node:crypto'
import type { DeliveryDocument } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { z } from 'zod'
import { type Answer, type CallOptions, callApi } from '../harness/coordinator/call-api.ts'

/** The smallest body that creates a job. */
export const JOB = { name: 'a job', keywords: ['cafe'], language: 'en' }

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

/** Calls a path of an API. */
export const ask = (url: string, method: string, path: string, options?: CallOptions): Promise<Answer> =>
  callApi(`${url}${path}`, method, options)

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
