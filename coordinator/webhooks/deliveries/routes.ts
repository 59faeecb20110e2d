import type { Db } from 'mongodb'
import { accountOf, mustBeUnlimited } from '../../http/authentication.ts'
import { AppError, orNotFound } from '../../http/errors.ts'
import { IdParams, pageOf, uuid } from '../../http/params.ts'
import { retryAfterHeaders } from '../../http/rate-limit.ts'
import { errorResponses, jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { WebhookDocument } from '../documents.ts'
import { NewWebhook } from '../schema.ts'
import { findWebhook, rotateSecret } from '../store.ts'
import { createHourlyWindow } from './hourly-limits.ts'
import { recordTest } from './record.ts'
import {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  JobDeliveries,
  presentDelivery,
  RetriedDeliveries,
  RetryFailedRequest,
} from './schema.ts'
import { deliveriesOfJob, findDelivery, pageDeliveries, retryByHand, retryFailed } from './store.ts'

type DeliveryRoutesOptions = {
  db: Db
  secrets: SecretBox
  /** Notifies the coordinators of a due delivery. */
  notifyDeliveries(): void
  hasJob(user_id: string, job_id: string): Promise<boolean>
}

const DeliveryParams = IdParams.extend({ delivery_id: uuid.describe('the X-Webhook-ID of the delivery') })

/** Tests of webhooks that a user sends in an hour. */
const TESTS_AN_HOUR = 10

const tags = ['webhooks']
const accepted = { 202: jsonResponse(Delivery, 'Queued for delivery'), ...errorResponses(409) }

/** Routes for the owner of a receiver: test it, list deliveries, retry them, rotate the secret. */
export async function deliveryRoutes(app: Server, options: DeliveryRoutesOptions): Promise<void> {
  const { db, notifyDeliveries } = options
  const tests = createHourlyWindow(db, TESTS_AN_HOUR)
  retryRoutes(app, options)
  rotateRoute(app, options)
  jobDeliveriesRoute(app, options)

  const test = {
    tags,
    operationId: 'testWebhook',
    summary: 'Send a test delivery',
    description: `Sends a signed \`webhook.test\` in one attempt. The deliveries of the webhook show the result. A user sends ${TESTS_AN_HOUR} tests an hour.`,
    params: IdParams,
    response: accepted,
  }
  app.post('/webhooks/:id/test', { schema: test }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const webhook = await webhookInService(db, user_id, request.params.id)
    const until = await tests.take(`webhook_tests:${user_id}`)
    if (until) throw tooManyTests(until)
    const delivery = await recordTest(db, webhook)
    notifyDeliveries()
    return reply.code(202).send(presentDelivery(delivery))
  })

  const listed = {
    200: jsonResponse(DeliveryPage, 'The deliveries of the last 30 days, newest first'),
  }
  const list = {
    tags,
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    params: IdParams,
    querystring: DeliveryQuery,
    response: listed,
  }
  app.get('/webhooks/:id/deliveries', { schema: list }, async (request) => {
    const { user_id } = accountOf(request)
    orNotFound(await findWebhook(db, user_id, request.params.id), 'webhook')
    const { deliveries, total } = await pageDeliveries(db, user_id, request.params.id, request.query)
    return { deliveries: deliveries.map(presentDelivery), ...pageOf({ ...request.query, total }) }
  })
}

function tooManyTests(until: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  const text = `You sent ${TESTS_AN_HOUR} tests of webhooks in this hour, which is your limit. Try again in ${seconds} s.`
  return new AppError('rate_limited', text, { headers: retryAfterHeaders(seconds) })
}

function rotateRoute(app: Server, { db, secrets }: DeliveryRoutesOptions): void {
  const rotated = { 200: jsonResponse(NewWebhook, 'The webhook with its new secret') }
  const rotate = {
    tags,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret',
    description: 'The new secret is shown only once. The old one signs as well for 24 hours.',
    params: IdParams,
    response: rotated,
  }
  app.post('/webhooks/:id/rotate-secret', { schema: rotate }, async (request) => {
    mustBeUnlimited(accountOf(request), 'change webhooks')
    const found = await rotateSecret(db, secrets, accountOf(request).user_id, request.params.id)
    const replaced = orNotFound(found, 'webhook')
    const { _id: id, name, url } = replaced.document
    return { id, name, url, secret: replaced.secret }
  })
}

function jobDeliveriesRoute(app: Server, { db, hasJob }: DeliveryRoutesOptions): void {
  const schema = {
    tags,
    operationId: 'listJobDeliveries',
    summary: 'List the deliveries of a job',
    params: IdParams,
    response: { 200: jsonResponse(JobDeliveries, 'One delivery a webhook') },
  }
  app.get('/jobs/:id/deliveries', { schema }, async (request) => {
    const { user_id } = accountOf(request)
    const { id } = request.params
    orNotFound(await hasJob(user_id, id), 'job')
    const deliveries = await deliveriesOfJob(db, user_id, id)
    return { deliveries: deliveries.map((one) => ({ ...presentDelivery(one), webhook_id: one.webhook_id })) }
  })
}

function retryRoutes(app: Server, { db, notifyDeliveries }: DeliveryRoutesOptions): void {
  const retry = {
    tags,
    operationId: 'retryWebhookDelivery',
    summary: 'Retry a delivery',
    description: 'Makes one more attempt for a delivery that ended, with the same X-Webhook-ID.',
    params: DeliveryParams,
    response: accepted,
  }
  app.post('/webhooks/:id/deliveries/:delivery_id/retry', { schema: retry }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const { id, delivery_id } = request.params
    const webhook = await webhookInService(db, user_id, id)
    const delivery = orNotFound(await findDelivery(db, user_id, id, delivery_id), 'delivery')
    const again = await retryByHand(db, webhook, delivery)
    if (!again) throw new AppError('conflict', 'The delivery is still pending and is retried automatically.')
    notifyDeliveries()
    return reply.code(202).send(presentDelivery(again))
  })

  const retried = {
    202: jsonResponse(RetriedDeliveries, 'How many are queued for delivery'),
    ...errorResponses(409),
  }
  const retryAll = {
    tags,
    operationId: 'retryFailedWebhookDeliveries',
    summary: 'Retry all failed deliveries since a time',
    description:
      'Makes one more attempt for each failed delivery of a job event, with the same X-Webhook-ID. Repeats take half of the hourly limits at most, and go behind new events: more wait for the next hour.',
    params: IdParams,
    body: RetryFailedRequest,
    response: retried,
  }
  app.post('/webhooks/:id/retry-failed', { schema: retryAll }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const webhook = await webhookInService(db, user_id, request.params.id)
    const retried = await retryFailed(db, webhook, new Date(request.body.since))
    if (retried > 0) notifyDeliveries()
    return reply.code(202).send({ retried })
  })
}

async function webhookInService(db: Db, user_id: string, webhook_id: string): Promise<WebhookDocument> {
  const stored = await findWebhook(db, user_id, webhook_id)
  const webhook = orNotFound(!stored?.revoked_at && stored, 'webhook')
  if (webhook.health_state !== 'disabled') return webhook
  throw new AppError('conflict', 'The webhook is disabled. Send a PATCH with `reenable: true` first.')
}
