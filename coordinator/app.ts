import type { AddressInfo } from 'node:net'
import { every, type Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { microCredits } from '@placefleet/shared/money'
import { natsServers } from '@placefleet/shared/nats'
import type { Db } from 'mongodb'
import { connect } from 'nats'
import { bootstrap } from './accounts/bootstrap.ts'
import { createApi } from './api.ts'
import { grant } from './billing/grant.ts'
import type { Config } from './config.ts'
import { followJobEnds } from './fleet/control.ts'
import { serveFleet } from './fleet/server.ts'
import { createTokenCheck } from './fleet/token.ts'
import { readBuildInfo } from './http/build-info.ts'
import { closeServer } from './http/drain.ts'
import { undo } from './jobs/create.ts'
import { DEADLINE_MS, enforceDeadlines, SWEEP_MS, sweepOnce } from './jobs/sweep.ts'
import { connectMongo } from './mongo/connect.ts'
import { ensureIndexes } from './mongo/indexes.ts'
import { createServices, indexes, type Services } from './services.ts'

/** How long requests in flight may take to end when the coordinator stops. */
const DRAIN_MS = 15_000

/** The first user's address when only their key is given. */
const OWNER = 'owner@localhost.localdomain'

/** A coordinator at work. */
export type Coordinator = {
  /** Where the API answers. */
  url: string
  grpcPort: number
  /** The first user's key, when this start made it. */
  firstKey: string | undefined
}

/**
 * Starts a coordinator: API, fleet server and sweeper. What it opens is owned by the lifecycle, which closes it newest
 * first.
 * @throws Error when MongoDB or NATS does not answer, or a port cannot be had.
 */
export async function startCoordinator(config: Config, log: Logger, life: Lifecycle): Promise<Coordinator> {
  const { db } = life.own('MongoDB', await connectMongo(config.MONGODB_URL), (mongo) => mongo.close())
  const queue = {
    ...natsServers(config.NATS_URL),
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
  }
  life.own('sweeper', every(SWEEP_MS, 'sweeping', log, sweep), (loop) => loop.stop())

  const deadlines = every(DEADLINE_MS, 'ending jobs whose time is up', log, () => enforceDeadlines(services))
  life.own('deadlines', deadlines, (loop) => loop.stop())

  const mayCall = createTokenCheck(config.AGENT_TOKEN)
  const storedKeys = (job_id: string) => services.results.keys(job_id)
  const fleetParts = { ...services, mayCall, storedKeys, version: build.version }
  const fleet = await serveFleet(fleetParts, { host: config.HOST, port: config.GRPC_PORT })
  life.own('fleet server', fleet, (server) => server.close())

  const api = life.own('API', await createApi(config, log, db, services, build), (server) =>
    closeServer(server, DRAIN_MS),
  )
  await api.listen({ host: config.HOST, port: config.PORT })
  return { url: urlOf(api.server.address()), grpcPort: fleet.port, firstKey }
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
