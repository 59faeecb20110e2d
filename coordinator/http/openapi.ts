import swagger from '@fastify/swagger'
import { WebhookEventPayload } from '@placefleet/shared/webhooks/event-payloads'
import type { RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { cookieName } from './authentication.ts'
import { describeOperations } from './openapi-operations.ts'
import { errorResponses } from './responses.ts'
import type { Server } from './typed-server.ts'

type Schemas = Record<string, unknown>

const REFERENCE = '#/components/schemas/'
const INPUT = 'Input'

/**
 * Cleans up the schemas of a document. The generator emits each schema twice, as `…Input` for requests and plain for
 * responses. Unused ones are removed, and a schema used only in requests gets its plain name.
 */
function tidySchemas<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Schemas } }
  const schemas = components?.schemas ?? {}
  dropUnused(document, schemas)
  const onlySent = Object.keys(schemas).filter((name) => name.endsWith(INPUT) && !(plain(name) in schemas))
  for (const name of onlySent) {
    schemas[plain(name)] = schemas[name]
    delete schemas[name]
  }
  rename(document, new Map(onlySent.map((name) => [`${REFERENCE}${name}`, `${REFERENCE}${plain(name)}`])))
  return document
}

const plain = (name: string) => name.slice(0, -INPUT.length)

function dropUnused(document: object, schemas: Schemas): void {
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"${REFERENCE}${name}"`))
    if (unused.length === 0) return
    for (const name of unused) delete schemas[name]
  }
}

function rename(value: unknown, names: ReadonlyMap<unknown, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const name = key === '$ref' ? names.get(member) : undefined
    if (name === undefined) rename(member, names)
    else Reflect.set(value, key, name)
  }
}

const READING: readonly unknown[] = ['GET', 'HEAD', 'OPTIONS']

const DESCRIPTION = `Collects business listings from a map search.

Send an API key as \`Authorization: Bearer svc_…\` or \`X-API-Key: svc_…\`. Every response says in its \`RateLimit\`
headers how many requests remain. Every request may have an \`X-Request-Id\` (1 to 128 letters, digits and \`_.:/+=@-\`),
which the response repeats and the logs show.`

/** Describes all routes registered after this call: as OpenAPI 3.1 at /openapi.json. */
export async function describeRoutes(
  app: Server,
  { version, publicUrl }: { version: string; publicUrl: string | undefined },
): Promise<void> {
  app.addHook('onRoute', listFailures)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Placefleet', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          session: { type: 'apiKey', in: 'cookie', name: cookieName('session', publicUrl) },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    },
    transform: createJsonSchemaTransform({ skipList: [], zodToJsonConfig: { unrepresentable: 'any' } }), // for `noContent`
    transformObject: (document) =>
      describeOperations(tidySchemas(describeDeliveries(createJsonSchemaTransformObject({})(document)))),
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
}

/** Adds the request that the service sends to webhooks. Generators take the types of events from it. */
function describeDeliveries<Document extends object>(document: Document): Document & { webhooks: object } {
  const { id, description } = z.globalRegistry.get(WebhookEventPayload) ?? {}
  const post = {
    operationId: 'receiveDelivery',
    summary: 'A signed delivery to your webhook',
    tags: ['webhooks'],
    requestBody: {
      required: true,
      description,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } },
    },
    responses: { '2XX': { description: 'You have received the event' } },
  }
  return { ...document, webhooks: { delivery: { post } } }
}

/** Adds to the errors that a route lists those that follow from its access, its parameters and its body. */
function listFailures(route: RouteOptions): void {
  const { method, schema, config } = route
  if (!schema || schema.hide || config?.access === 'unlimited') return
  const response = typeof schema.response === 'object' ? schema.response : {}
  const derived = {
    ...errorResponses(401, 429, 503),
    ...(schema.params ? errorResponses(404, 422) : {}),
    ...(schema.querystring || schema.headers ? errorResponses(400) : {}),
    ...(READING.includes(method) ? {} : errorResponses(400, 403, 413, 415, 422)),
  }
  route.schema = { ...schema, response: { ...derived, ...response } }
}
