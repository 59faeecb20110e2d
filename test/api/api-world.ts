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
  queue: 'hooks.example.com',
  attempt_count: 5,
  max_attempts: 5,
  attempts: [],
  by_hand: false,
  counted: [],
  created_at: new Date(),
  ended_at: new Date(),
})

/** A request: its method, its path, and its body if it has one. */
export type Asked = readonly [method: string, path: string, options?: CallOptions]

/** Requests of several parts of the API. None can be answered without the database. */
export const requestsOfDatabase = (): Asked[] => [
  ['GET', '/api/v1/jobs'],
  ['POST', '/api/v1/jobs', { body: JOB }],
  ['POST', '/api/v1/jobs/estimates', { body: JOB }],
  ['GET', `/api/v1/jobs/${randomUUID()}/download`],
  ['GET', '/api/v1/credits/balance'],
  ['DELETE', `/api/v1/webhooks/${randomUUID()}`],
]

/** Sends requests with a key, all at once. */
export const askAll = (url: string, key: string, asked: readonly Asked[]): Promise<Answer[]> =>
  Promise.all(asked.map(([method, path, options]) => ask(url, method, path, { key, ...options })))

/** Calls a path of an API. */
export const ask = (url: string, method: string, path: string, options?: CallOptions): Promise<Answer> =>
  callApi(`${url}${path}`, method, options)

/** The body of every failure: nothing else may be in it. */
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
