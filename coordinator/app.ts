import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { listening } from '@placefleet/shared/listening'
import type { Logger } from '@placefleet/shared/log'
import { serveMetrics } from '@placefleet/shared/metrics-server'
import { monotonicNow } from '@placefleet/shared/timing'
import { startTracing } from '@placefleet/shared/tracing'
import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import { bootstrap } from './accounts/bootstrap.ts'
import { createApi } from './api.ts'
import { createSignInLink, recordPublicUrl, type SignInLink } from './auth/links.ts'
import { checkUsable } from './backup/restore.ts'
import { grant } from './billing/ledger/grant.ts'
import { microCredits } from './billing/prices/cost.ts'
import { type Config, OWNER } from './config.ts'
import type { Context } from './context.ts'
import { startFleet } from './fleet/start.ts'
import { publicUrlOf, serverUrl } from './http/addresses.ts'
import { createRequestMetrics } from './http/request-log.ts'
import { closeServer, startDraining } from './http/server.ts'
import { readBuildInfo, VERSION } from './http/version.ts'
import { indexes } from './indexes.ts'
import { startLoops } from './loops.ts'
import { noteSchema } from './mongo/connect.ts'
import { ensureIndexes } from './mongo/indexes.ts'
import { openDatabase, openQueue, startFailure } from './process/connections.ts'
import { createCounters } from './process/counters.ts'
import { createCoordinatorMetrics } from './process/metrics.ts'
import { checkSecretsKey } from './secrets/store.ts'
import { createServices, type Services } from './services.ts'
import { TIMINGS } from './timings.ts'

/** How long requests in flight may take to end when the coordinator stops. Deliveries in flight end at the same time. */
const DRAIN_MS = 12_000

/** A running coordinator. */
export type Coordinator = {
  url: string
  grpcPort: number
  /** Creates a one-time sign-in link for the first user; absent when the settings name no first user. */
  signInLink: (() => Promise<SignInLink>) | undefined
  /**
   * Prepares a graceful stop: sends agents to another coordinator and makes /health answer 503. Resolves after the time
   * that load balancers need to notice. Requests are still answered.
   */
  drain(): Promise<void>
}

export type StartOptions = Partial<Pick<Context, 'timings' | 'demoCity'>>

/**
 * Starts a coordinator: API, fleet server and background loops. The lifecycle owns what it opens, and closes the newest
 * first.
 * @throws Error that says what to do when MongoDB or NATS cannot be used, or a port is not available.
 */
export async function startCoordinator(
  config: Config,
  log: Logger,
  life: Lifecycle,
  options: StartOptions = {},
): Promise<Coordinator> {
  try {
    return await start(config, log, life, options)
  } catch (error) {
    throw startFailure(error)
  }
}

async function start(config: Config, log: Logger, life: Lifecycle, options: StartOptions): Promise<Coordinator> {
  const { db, nats } = await connect(config, life)
  await prepareDatabase(db, log)
  const counters = createCounters()
  const context: Context = { config, log, db, nats, counters, timings: TIMINGS, ...options }
  const services = await createServices(context)
  await checkSecretsKey(db, services.secrets)
  warnOfMissingSecretsKey(config, log)
  const first = await firstUser(config, db, services)

  const build = readBuildInfo({
    environment: config.ENVIRONMENT,
    buildDate: config.BUILD_DATE,
    gitCommit: config.GIT_COMMIT,
  })
  const { deliveries } = startLoops(context, life, services)
  const { HOST: host, PORT: port } = config
  const fleet = await listening(
    { what: "The agents' server", host, port: config.GRPC_PORT, portSetting: 'GRPC_PORT' },
    startFleet(context, life, services),
  )

  const metrics =
    config.METRICS_PORT === undefined
      ? undefined
      : createCoordinatorMetrics({ db, nats, streams: services.fleet.streams, counters })
  const countRequest = metrics && createRequestMetrics(metrics)
  const api = life.own('API', await createApi(context, services, { build, countRequest }), (server) =>
    Promise.all([closeServer(server, DRAIN_MS), deliveries.stop()]),
  )
  warnOfOpenApi(config, log)
  await listening({ what: 'The API', host, port, portSetting: 'PORT' }, api.listen({ host, port }))
  if (metrics && config.METRICS_PORT !== undefined) {
    const serving = await serveMetrics(metrics, { host, port: config.METRICS_PORT })
    life.own('metrics', serving, (server) => server.close())
  }
  const address = tcpAddress(api.server.address())
  const publicUrl = publicUrlOf({ ...config, PORT: address.port })
  await recordPublicUrl(db, publicUrl)
  await services.presence.listensAt({ url: publicUrl, is_public_url: config.PUBLIC_URL !== undefined })
  const drain = async () => {
    startDraining(api)
    fleet.drain()
    await sleep(config.DRAIN_SECONDS * 1_000)
  }
  const signInLink = first && (() => createSignInLink(db, first.user_id, publicUrl))
  return { url: serverUrl(address), grpcPort: fleet.port, signInLink, drain }
}

/** Connects to what the coordinator depends on: the receiver of traces, the database and the queue. */
async function connect(config: Config, life: Lifecycle): Promise<{ db: Db; nats: NatsConnection }> {
  const service = { name: 'placefleet-coordinator', version: VERSION }
  const traces = await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, service)
  life.own('traces', traces, (started) => started.close())
  const { db } = life.own('MongoDB', await openDatabase(config), (mongo) => mongo.close())
  const nats = life.own('NATS', await openQueue(config), (connection) => connection.close())
  return { db, nats }
}

/** An existing index costs nothing, so a start that takes longer builds one. */
const SLOW_MS = 5_000

/** Checks the database, notes its schema version and creates the missing indexes. */
async function prepareDatabase(db: Db, log: Logger): Promise<void> {
  await checkUsable(db)
  await noteSchema(db)
  const slow = setTimeout(() => log.info('building indexes of large collections; the start waits for them'), SLOW_MS)
  await ensureIndexes(db, indexes).finally(() => clearTimeout(slow))
}

/** Creates the first user, with the key of the settings and credits, when the settings name one. */
async function firstUser(config: Config, db: Db, { billing: { ledger } }: Services) {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_EMAIL: email = apiKey && OWNER } = config
  if (email === undefined) return undefined
  const amount = microCredits(config.BOOTSTRAP_CREDITS)
  const reference = { reference_type: 'bootstrap', reference_id: 'first credits' }
  const grantCredits = async (user_id: string) => {
    if (amount > 0) await grant(ledger, { user_id, amount, type: 'bonus', reference, description: 'First credits' })
  }
  return bootstrap(db, { email, apiKey, grantCredits })
}

function tcpAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the API does not listen on a TCP port')
  return address
}

/** Warns when API keys and responses travel unencrypted. With an https PUBLIC_URL, a proxy in front terminates TLS. */
function warnOfOpenApi({ HOST: host, PUBLIC_URL }: Config, log: Logger): void {
  const isLoopback = host === 'localhost' || classifyAddress(host) === 'loopback'
  if (isLoopback || PUBLIC_URL?.startsWith('https:')) return
  log.warn(
    { host },
    'the API is served without TLS on an address others can reach, so API keys travel unencrypted; put a proxy with TLS in front and set PUBLIC_URL to its https address',
  )
}

function warnOfMissingSecretsKey({ SECRETS_KEY }: Config, log: Logger): void {
  if (SECRETS_KEY !== undefined) return
  log.warn(
    'SECRETS_KEY is not set, so webhooks, proxies and signing in through a provider fail; make one with `openssl rand -base64 32`, keep it, and set it on every coordinator',
  )
}

/** The process exits with a failure when a stop takes longer than this. Nothing is lost: all state is in MongoDB. */
export const EXIT_WITHIN_MS = 25_000

/** How long a graceful stop takes at most: the drain, then every part with what remains. */
const STOP_WITHIN_MS = 24_000

/** Drains, if asked to, then closes all parts in one budget of time. Returns whether every part was closed. */
export async function stopInTime(
  life: Lifecycle,
  drain: (() => Promise<void>) | undefined,
  withinMs = STOP_WITHIN_MS,
): Promise<boolean> {
  const end = monotonicNow() + withinMs
  await drain?.()
  return life.closeWithin(end - monotonicNow())
}
