import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { closeServer, createServer, type ServerOptions } from '@placefleet/coordinator/http/server'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { readBuildInfo } from '@placefleet/coordinator/http/version'
import { pingDatabase } from '@placefleet/coordinator/mongo/connect'
import { isDatabaseDown } from '@placefleet/coordinator/mongo/failures'
import type { Db } from 'mongodb'
import { onTestFinished } from 'vitest'
import { watchedLog } from '../watched-log.ts'
import { type Answer, type CallOptions, callApi } from './call-api.ts'
import { holdAgainstDocument } from './documented-answers.ts'

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
  /** Lets it log errors whose message has this text. All others fail the test. */
  expectError(message: string): void
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
  const watched = watchedLog('api')
  const server = await createServer({
    log: watched.log,
    authenticator: createAuthenticator(db, { free: AMPLE, paid: AMPLE, session: AMPLE }),
    addressPolicy: AMPLE,
    isUnavailable: isDatabaseDown,
    databaseAnswers: pingDatabase(db),
    build: readBuildInfo({ environment: 'test' }),
    ...options,
  })
  await routes?.(server)
  const baseUrl = await server.listen({ host: '127.0.0.1', port })
  holdAgainstDocument(baseUrl)
  const close = () => closeServer(server, 5_000)
  whenOver(async () => {
    await close()
    watched.check()
  })
  const call: TestApi['call'] = (method, path, options) => callApi(`${baseUrl}${path}`, method, options)
  return { server, baseUrl, call, expectError: watched.expectError, close }
}
