import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { closeServer, createServer, type ServerOptions } from '@placefleet/coordinator/http/server'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { readBuildInfo } from '@placefleet/coordinator/http/version'
import { pingDatabase } from '@placefleet/coordinator/mongo/connect'
import { isDatabaseDown } from '@placefleet/coordinator/mongo/failures'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { onTestFinished } from 'vitest'
import { type Answer, type CallOptions, callApi } from './call-api.ts'

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
  return { server, baseUrl, call: (method, path, options) => callApi(`${baseUrl}${path}`, method, options), close }
}
