import { CreditAmount } from '@placefleet/shared/job'
import { textSchema } from '@placefleet/shared/text'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf, isLimited } from '../http/authentication.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../http/responses.ts'
import type { Answer, Server } from '../http/typed-server.ts'
import type { ApiKeyDocument } from './documents.ts'
import { isOperator } from './roles.ts'
import { createApiKey, listApiKeys, revokeApiKey, setKeyLimits } from './store.ts'

/** A limit counts what the jobs created with the key cost, or may still cost while they run. */
const SpendingLimits = z
  .strictObject({
    day: CreditAmount.optional().describe('credits for the jobs of one UTC day'),
    month: CreditAmount.optional().describe('credits for the jobs of one UTC month'),
  })
  .meta({
    id: 'SpendingLimits',
    description: 'The most that the jobs created with an API key may cost.',
    examples: [{ day: '1.50', month: '20' }],
  })

const CreateApiKeyRequest = z
  .strictObject({
    name: textSchema({ min: 1, max: 100 }).describe('purpose of the key'),
    limits: SpendingLimits.optional().describe('the most that its jobs may cost; absent: no limit'),
  })
  .meta({
    id: 'CreateApiKeyRequest',
    description: 'A key to create.',
    examples: [{ name: 'Nightly import', limits: { day: '1.50' } }],
  })

const ChangeApiKeyRequest = z
  .strictObject({ limits: SpendingLimits.describe('replace the current limits; `{}` removes them') })
  .meta({ id: 'ChangeApiKeyRequest', description: 'New limits of a key.', examples: [{ limits: { day: '5' } }] })

const hint = z.string().describe('one end of the key, to recognize it')

const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    key_hint_prefix: hint,
    key_hint_suffix: hint,
    limits: SpendingLimits.optional().describe('absent without limits'),
    usage_count: z.int().min(0).describe('number of granted requests'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().optional().describe('absent until the first use'),
    revoked_at: z.iso.datetime().optional().describe('absent while the key is active'),
  })
  .meta({
    id: 'ApiKey',
    description: 'An API key without its secret.',
    examples: [
      {
        id: 'c2f1a0de-0f35-4a0a-8a5c-6f7c1f3b9d42',
        name: 'Nightly import',
        key_hint_prefix: 'svc_Ab3d',
        key_hint_suffix: 'x9Qz',
        limits: { day: '1.50' },
        usage_count: 1042,
        created_at: '2026-03-01T12:00:00.000Z',
        last_used_at: '2026-03-02T09:20:00.000Z',
      },
    ],
  })

const NewApiKey = ApiKey.pick({ id: true, name: true, key_hint_prefix: true, key_hint_suffix: true })
  .extend({ key: z.string().describe('shown only once') })
  .meta({
    id: 'NewApiKey',
    description: 'A new API key. It is shown only once.',
    examples: [
      {
        id: 'c2f1a0de-0f35-4a0a-8a5c-6f7c1f3b9d42',
        name: 'Nightly import',
        key_hint_prefix: 'svc_Ab3d',
        key_hint_suffix: 'x9Qz',
        key: 'svc_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz',
      },
    ],
  })

const tags = ['API keys']

type AccountRoutesOptions = {
  db: Db
  /** The ids of the keys that created the monitors of a user. */
  usedKeys(user_id: string): Promise<string[]>
}

/** `GET`, `POST`, `PATCH` and `DELETE /api-keys`. */
export async function accountRoutes(app: Server, { db, usedKeys }: AccountRoutesOptions): Promise<void> {
  limitsRoute(app, db)
  const listed = { 200: jsonResponse(z.array(ApiKey), 'All keys, including revoked ones') }
  app.get(
    '/api-keys',
    { schema: { tags, operationId: 'listApiKeys', summary: 'List API keys', response: listed } },
    async (request) => {
      return (await listApiKeys(db, accountOf(request).user_id)).map(present)
    },
  )

  const made = { 201: jsonResponse(NewApiKey, 'The new key'), ...errorResponses(409) }
  const create = {
    tags,
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'A key with `limits` creates jobs only within them, runs, changes and deletes only its own monitors, deletes only its own jobs, and neither creates keys, forgets known places nor changes webhooks.',
    body: CreateApiKeyRequest,
    response: made,
  }
  app.post('/api-keys', { schema: create }, async (request, reply) => {
    const { user_id, limits } = accountOf(request)
    if (isLimited(limits)) throw limitedKey()
    const { name: given, limits: own } = request.body
    const { document, key } = await createApiKey(db, user_id, { name: given, ...(own ? { limits: own } : {}) })
    const { _id: id, name, key_hint_prefix, key_hint_suffix } = document
    return reply.code(201).send({ id, name, key, key_hint_prefix, key_hint_suffix })
  })

  const revoked = { 204: noContent('Revoked') }
  const revoke = {
    tags,
    operationId: 'deleteApiKey',
    summary: 'Revoke an API key',
    description:
      'No request with it is accepted from now on. Its jobs and monitors go on, and a spending limit of the key still applies to them. To stop a monitor, pause or delete it. A key with limits revokes only itself.',
    params: IdParams,
    response: revoked,
  }
  app.delete('/api-keys/:id', { schema: revoke }, async (request, reply) => {
    const { user_id, key_id, limits } = accountOf(request)
    if (isLimited(limits) && request.params.id !== key_id) throw limitedKey()
    orNotFound(await revokeApiKey(db, user_id, request.params.id, await usedKeys(user_id)), 'API key')
    return reply.code(204).send()
  })
}

function limitsRoute(app: Server, db: Db): void {
  const changed = { 204: noContent('Updated') }
  const change = {
    tags,
    operationId: 'updateApiKey',
    summary: 'Change the spending limits of an API key',
    description: 'Requires a session or an operator: a key cannot raise its own limit.',
    params: IdParams,
    body: ChangeApiKeyRequest,
    response: changed,
  }
  app.patch('/api-keys/:id', { schema: change }, async (request, reply) => {
    const account = accountOf(request)
    if (account.session_id === undefined && !(await isOperator(db, account))) throw limitedKey()
    orNotFound(await setKeyLimits(db, account.user_id, request.params.id, request.body.limits), 'API key')
    return reply.code(204).send()
  })
}

const limitedKey = () =>
  new AppError('forbidden', 'An API key cannot do this. Sign in to the console, or ask an operator.')

const present = ({ _id: id, limits, ...key }: ApiKeyDocument): Answer<z.infer<typeof ApiKey>> => ({
  ...key,
  id,
  limits: isLimited(limits) ? limits : undefined,
})
