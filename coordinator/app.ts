import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { every, type Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { microCredits } from '@placefleet/shared/money'
import { natsServers } from '@placefleet/shared/nats'
import type { Db } from 'mongodb'
import { connect } from 'nats'
import { bootstrap } from './accounts/bootstrap.ts'
import { createApi } from './api.ts'
import { grant } from './billing/grant.ts'
import { PAYMENT_SWEEP_MS } from './billing/payments.ts'
import type { Config } from './config.ts'
import { followJobEnds } from './fleet/control.ts'
import { startFleet } from './fleet/start.ts'
import { readBuildInfo } from './http/build-info.ts'
import { closeServer, startDraining } from './http/drain.ts'
import { undo } from './jobs/create.ts'
import { DEADLINE_MS, enforceDeadlines, SWEEP_MS, sweepOnce } from './jobs/sweep.ts'
import { connectMongo } from './mongo/connect.ts'
import { ensureIndexes } from './mongo/indexes.ts'
import { createServices, indexes, type Services } from './services.ts'
import { followDeliveryBell } from './webhooks/delivery-bell.ts'
import { createDeliveryParts } from './webhooks/delivery-parts.ts'
import { startDispatch } from './webhooks/dispatch.ts'

/** How long requests in flight may take to end when the coordinator stops. */
const DRAIN_MS = 12_000

/** The first user's address when only their key is given. */
const OWNER = 'owner@localhost.localdomain'

/** A coordinator at work. */
export type Coordinator = {
  /** Where the API answers. */
  url: string
  grpcPort: number
  /** The first user's key, when this start made it. */
  firstKey: string | undefined
  /**
   * Prepares a stop that nobody notices: sends agents to another coordinator and says so in /health, and resolves once
   * load balancers had the time to see it. Requests are answered all the while.
   */
  drain(): Promise<void>
}

/**
 * Starts a coordinator: API, fleet server and sweeper. What it opens is owned by the lifecycle, which closes it newest
 * first.
 * @throws Error when MongoDB or NATS does not answer, or a port cannot be had.
 */
export async function startCoordinator(config: Config, log: Logger, life: Lifecycle): Promise<Coordinator> {
  const { db } = life.own('MongoDB', await connectMongo(config.MONGODB_URL), (mongo) => mongo.close())
  const queue = {
    ...natsServers(config.NATS_URL, config.NATS_TLS_CA),
    name: 'coordinator',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
  }
  const nats = life.own('NATS', await connect(queue), (connection) => connection.close())
  await ensureIndexes(db, indexes)
  const services = await createServices(config, log, db, nats)
  const firstKey = await firstUser(config, db, services)

  const build = readBuildInfo({
    environment: config.ENVIRONMENT,
    buildDate: config.BUILD_DATE,
    gitCommit: config.GIT_COMMIT,
  })
  life.own('job ends', followJobEnds(nats, services.streams, log), (following) => following.close())
  const undoCreation = (job: Parameters<typeof undo>[1]) => undo(services, job)
  const sweep = async (signal: AbortSignal) => {
    await sweepOnce({ ...services, undoCreation }, signal)
    await services.agents.forgetGone()
    await services.fleetSize.refresh()
  }
  life.own('sweeper', every(SWEEP_MS, 'sweeping', log, sweep), (loop) => loop.stop())

  const deadlines = every(DEADLINE_MS, 'ending jobs and leases whose time is up', log, () => enforceDeadlines(services))
  life.own('deadlines', deadlines, (loop) => loop.stop())

  const hourly = { account: config.WEBHOOK_HOURLY_ACCOUNT, address: config.WEBHOOK_HOURLY_ADDRESS }
  const { secrets } = services
  const delivering = createDeliveryParts({ log, db, secrets, allowHosts: config.WEBHOOK_ALLOW_HOSTS, hourly })
  const dispatch = life.own('webhook deliveries', startDispatch(delivering), (loop) => loop.stop())
  life.own('delivery bell', followDeliveryBell(nats, log, dispatch.wake), (following) => following.close())

  const payments = every(PAYMENT_SWEEP_MS, 'catching up with payments', log, services.payments.sweepOnce)
  life.own('payments', payments, (loop) => loop.stop())

  const storedKeys = (job_id: string) => services.results.keys(job_id)
  const fleet = await startFleet({ ...services, storedKeys, version: build.version }, config, log, life)

  const api = life.own('API', await createApi(config, log, db, services, build), (server) =>
    closeServer(server, DRAIN_MS),
  )
  await api.listen({ host: config.HOST, port: config.PORT })
  const drain = async () => {
    startDraining(api)
    fleet.drain()
    await sleep(config.DRAIN_SECONDS * 1_000)
  }
  return { url: urlOf(api.server.address()), grpcPort: fleet.port, firstKey, drain }
}

/** Makes the first user with a key and credits when the settings ask for one. */
async function firstUser(config: Config, db: Db, { ledger }: Services): Promise<string | undefined> {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_EMAIL: email = apiKey && OWNER } = config
  if (email === undefined) return undefined
  const amount = microCredits(String(config.BOOTSTRAP_CREDITS))
  const reference = { reference_type: 'bootstrap', reference_id: 'first credits' }
  const grantCredits = async (user_id: string) => {
    if (amount > 0) await grant(ledger, { user_id, amount, type: 'bonus', reference, description: 'First credits' })
  }
  const { key } = await bootstrap(db, { email, apiKey, grantCredits })
  return key
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the API does not listen on a TCP port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
