import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf, mustBeUnlimited } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { checkWebhookUrl, type UrlRules } from './check-url.ts'
import { updateQueueOfPending } from './deliveries/store.ts'
import { ChangeWebhookRequest, CreateWebhookRequest, NewWebhook, presentWebhook, Webhook } from './schema.ts'
import { changeWebhook, createWebhook, listWebhooks, revokeWebhook } from './store.ts'

type WebhookRoutesOptions = UrlRules & { db: Db; secrets: SecretBox }

const tags = ['webhooks']

/** Routes that register, list, change and revoke webhooks. */
export async function webhookRoutes(app: Server, options: WebhookRoutesOptions): Promise<void> {
  createRoute(app, options)
  listRoute(app, options)
  changeRoutes(app, options)
}

function createRoute(app: Server, { db, secrets, ...rules }: WebhookRoutesOptions): void {
  const made = {
    201: jsonResponse(NewWebhook, 'The new webhook with its secret'),
    ...errorResponses(409),
  }
  const create = {
    tags,
    operationId: 'createWebhook',
    summary: 'Register a webhook',
    body: CreateWebhookRequest,
    response: made,
  }
  app.post('/webhooks', { schema: create }, async (request, reply) => {
    mustBeUnlimited(accountOf(request), 'change webhooks')
    await checkWebhookUrl(request.body.url, rules)
    const { document, secret } = await createWebhook(db, secrets, accountOf(request).user_id, request.body)
    const { _id: id, name, url } = document
    return reply.code(201).send({ id, name, url, secret })
  })
}

function listRoute(app: Server, { db }: WebhookRoutesOptions): void {
  const listed = {
    200: jsonResponse(z.array(Webhook), 'All webhooks, including disabled and revoked ones'),
  }
  app.get(
    '/webhooks',
    { schema: { tags, operationId: 'listWebhooks', summary: 'List webhooks', response: listed } },
    async (request) => {
      return (await listWebhooks(db, accountOf(request).user_id)).map(presentWebhook)
    },
  )
}

function changeRoutes(app: Server, { db, secrets: _, ...rules }: WebhookRoutesOptions): void {
  const changed = { 204: noContent('Updated') }
  const change = {
    tags,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'A new `url` is unverified until its first successful delivery. `reenable` enables a disabled webhook again.',
    params: IdParams,
    body: ChangeWebhookRequest,
    response: changed,
  }
  app.patch('/webhooks/:id', { schema: change }, async (request, reply) => {
    mustBeUnlimited(accountOf(request), 'change webhooks')
    const { url } = request.body
    if (url !== undefined) await checkWebhookUrl(url, rules)
    const { user_id } = accountOf(request)
    orNotFound(await changeWebhook(db, user_id, request.params.id, request.body), 'webhook')
    if (url !== undefined) await updateQueueOfPending(db, { user_id, _id: request.params.id }, url)
    return reply.code(204).send()
  })

  const revoked = { 204: noContent('Revoked') }
  const revoke = {
    tags,
    operationId: 'deleteWebhook',
    summary: 'Revoke a webhook',
    params: IdParams,
    response: revoked,
  }
  app.delete('/webhooks/:id', { schema: revoke }, async (request, reply) => {
    mustBeUnlimited(accountOf(request), 'change webhooks')
    orNotFound(await revokeWebhook(db, accountOf(request).user_id, request.params.id), 'webhook')
    return reply.code(204).send()
  })
}
