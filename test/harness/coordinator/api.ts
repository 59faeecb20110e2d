import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { closeServer, createServer, type ServerOptions } from '@placefleet/coordinator/http/server'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { readBuildInfo } from '@placefleet/coordinator/http/version'
import { pingDatabase } from '@placefleet/coordinator/mongo/connect'
import { isDatabaseDown } from '@placefleet/coordinator/mongo/failures'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { onTestFinished } from 'vitest'

/** Limits so high that no test reaches them by accident. */
const AMPLE = { rate: 100_000, burst: 100_000 }

export type ApiOptions = Partial<ServerOptions> & {
  /** The port to listen on. Default: a free port. */
  port?: number
  /** Adds the routes under test. */
  routes?: (server: Server) => Promise<void>
}

/** An API on a real port of this machine. */
export type TestApi = {
  server: Server
  baseUrl: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export type CallOptions = {
  key?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

/**
 * Starts an API over a database. Without `authenticator` in the options, its limits are very high. It is closed after
 * the test, or after the file if `whenOver` is `afterAll`.
 */
export async function startApi(
  db: Db,
  { routes, port = 0, ...options }: ApiOptions = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
): Promise<TestApi> {
  const server = await createServer({
    log: createLogger('api', 'silent'),
    authenticator: createAuthenticator(db, { free: AMPLE, paid: AMPLE, session: AMPLE }),
    addressPolicy: AMPLE,
    isUnavailable: isDatabaseDown,
    databaseAnswers: pingDatabase(db),
    build: readBuildInfo({ environment: 'test' }),
    ...options,
  })
  await routes?.(server)
  const baseUrl = await server.listen({ host: '127.0.0.1', port })
  const close = () => closeServer(server, 5_000)
  whenOver(close)
  return { server, baseUrl, call: (method, path, options) => call(`${baseUrl}${path}`, method, options), close }
}

/** Creates a user with one API key. */
export async function testUser(db: Db, email = `${crypto.randomUUID()}@example.com`) {
  const { _id: user_id } = await createUser(db, { email })
  const { key, document } = await createApiKey(db, user_id, { name: 'test' })
  return { user_id, key, key_id: document._id }
}

async function call(url: string, method: string, { key, body, rawBody, headers }: CallOptions = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
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
