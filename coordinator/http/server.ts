import type { IncomingMessage } from 'node:http'
import type { Logger } from '@placefleet/shared/log'
import { type FastifyBaseLogger, fastify } from 'fastify'
import { addressOf } from './addresses.ts'
import { type Authenticator, authenticateRequests } from './authentication.ts'
import { createErrorHandler } from './error-handler.ts'
import { healthRoutes } from './health.ts'
import { acceptOnlyJson } from './json-body.ts'
import { describeRoutes } from './openapi.ts'
import { createAddressLimit, type RatePolicy, rateLimited, rateLimitHeaders } from './rate-limit.ts'
import { type CountRequest, createRequestLog, requestIdOf } from './request-log.ts'
import type { Server, ZodTypes } from './typed-server.ts'
import { handleMalformedRequests, refuseUnknownRoutes, rejectUnparsable } from './unroutable.ts'
import { createSerializer, validateByZod } from './validation-and-serialization.ts'
import { type BuildInfo, versionRoutes } from './version.ts'

export type ServerOptions = {
  log: Logger
  authenticator: Authenticator
  /** Whether an error means that the database or the queue is down. */
  isUnavailable: (error: unknown) => boolean
  databaseAnswers: () => Promise<boolean>
  databaseAcceptsWrites?: () => Promise<boolean>
  databaseDiskIsFull?: () => Promise<boolean>
  queueAnswers?: () => boolean
  build: BuildInfo
  /** The limit of requests without an account, by client address. */
  addressPolicy: RatePolicy
  /** The URL at which clients reach the API. Cookies and transport security depend on it. */
  publicUrl?: string | undefined
  /** The paths that pages of other sites may call. */
  openToPages?: readonly string[]
  countRequest?: CountRequest | undefined
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[]
}

const BODY_LIMIT = 256 * 1024

/** The limit of a body on routes that are open to anyone: it costs CPU before anything else is known of its sender. */
const STRANGERS_BODY_LIMIT = 4 * 1024

/**
 * Creates a server with everything all routes share: authentication, limits, validation, errors, documents, health and
 * version. It does not listen yet: register the other routes, then call `listen`. Stop it with `closeServer`.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const handleError = createErrorHandler(options.isUnavailable)
  const addressLimit = createAddressLimit(options.addressPolicy)
  const app: Server = fastify({
    ...listenerOptions(options),
    frameworkErrors: (error, request, reply) => {
      // A path that does not decode reaches no hook.
      reply.headers(securityHeaders(options.publicUrl))
      const { granted, reading } = addressLimit.take(addressOf(request))
      reply.headers(rateLimitHeaders(reading))
      handleError(granted ? error : rateLimited(reading, 'requests from this address'), request, reply)
    },
  }).withTypeProvider<ZodTypes>()
  app.setValidatorCompiler(validateByZod)
  app.setSerializerCompiler(createSerializer())
  app.setErrorHandler(handleError)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === 'anyone') route.bodyLimit = STRANGERS_BODY_LIMIT
  })
  app.decorateRequest('account', undefined)
  prepareDraining(app)
  const { countRequest } = options
  if (countRequest) app.addHook('onResponse', async (request, reply) => countRequest(request, reply))
  setSecurityHeaders(app, options.publicUrl)
  warnOfUntrustedProxy(app)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  openToPages(app, options.openToPages ?? [])
  authenticateRequests(app, {
    authenticator: options.authenticator,
    addressLimit,
    publicUrl: options.publicUrl,
  })
  handleMalformedRequests(app)
  refuseUnknownRoutes(app)
  acceptOnlyJson(app)
  await describeRoutes(app, { version: options.build.version, publicUrl: options.publicUrl })
  await app.register(healthRoutes, {
    build: options.build,
    databaseAnswers: options.databaseAnswers,
    databaseAcceptsWrites: options.databaseAcceptsWrites ?? (async () => true),
    databaseDiskIsFull: options.databaseDiskIsFull ?? (async () => false),
    queueAnswers: options.queueAnswers ?? (() => true),
  })
  await app.register(versionRoutes, { prefix: '/api/v1', build: options.build })
  return app
}

function listenerOptions({ log, trustedProxies = [] }: ServerOptions) {
  const loggerInstance: FastifyBaseLogger = log
  return {
    loggerInstance,
    logController: createRequestLog(),
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id']),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 20_000 }, // more than a request head can hold, so the schema rejects a long id
    requestTimeout: 30_000, // for head and body together; checked at the interval below
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    connectionTimeout: 120_000, // for silent connections, such as a client that stopped reading an export
    return503OnClosing: false, // requests that arrive while draining are still answered
    clientErrorHandler: rejectUnparsable,
  }
}

/** Returns the headers that keep browsers from misusing a response, with names in lower case. */
function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** Sets the security headers on every response. A route that sets one of them itself keeps its value. */
function setSecurityHeaders(app: Server, publicUrl: string | undefined): void {
  const headers = Object.entries(securityHeaders(publicUrl))
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value)
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    draining: { on: boolean }
  }
}

/**
 * Prepares a server for a graceful stop: while it drains, every response closes its connection. Otherwise closing waits
 * for the keep-alive timeout of each connection with a request in flight (fastify#7044).
 */
function prepareDraining(app: Server): void {
  app.decorate('draining', { on: false })
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining.on) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => startDraining(app))
}

/** Makes /health answer 503, so load balancers stop sending requests. Requests are still answered. */
export function startDraining(app: Server): void {
  app.draining.on = true
}

/**
 * Stops a server: accepts no new connections, finishes requests in flight, and cuts off those that remain after
 * `graceMs`.
 */
export async function closeServer(app: Server, graceMs: number): Promise<void> {
  startDraining(app)
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

const UNTRUSTED_PROXY =
  'a request came with X-Forwarded-For from an address that TRUSTED_PROXIES does not have, so its clients share one ' +
  'limit; if it is your proxy, add its address to TRUSTED_PROXIES'

/** Logs one warning when a proxy that is not trusted forwards a request. Its header is ignored. */
function warnOfUntrustedProxy(app: Server): void {
  let warned = false
  app.addHook('onRequest', async ({ headers, ips = [], log, socket }) => {
    const isTrusted = ips.length > 1 // the peer, and the addresses that it names
    if (warned || isTrusted || headers['x-forwarded-for'] === undefined) return
    warned = true
    log.warn({ peer: socket.remoteAddress }, UNTRUSTED_PROXY)
  })
}

/**
 * `*` with credentials is refused by browsers, so no cookie ever opens these paths to a page. It stands for all headers
 * but `Authorization`.
 */
const FOR_PAGES = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '3600', // seconds
}

/**
 * Lets pages of other sites, such as assistants that run in a browser, call these paths. None of them reads a cookie.
 */
export function openToPages(app: Server, paths: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (!paths.includes(path)) return
    reply.headers(FOR_PAGES)
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (request.method === 'OPTIONS' && origin !== undefined && wanted !== undefined)
      await reply.code(204).headers(PREFLIGHT).send()
  })
}
