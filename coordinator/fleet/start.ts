import { ServerCredentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'
import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import { every, type Lifecycle } from '@placefleet/shared/lifecycle'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'
import type { Context } from '../context.ts'
import type { Exits } from '../exits/exits.ts'
import { VERSION } from '../http/version.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { findJob } from '../jobs/store.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { ResultAppender } from '../results/append.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { createExitOfCall } from './agent-exit.ts'
import { createAgentAuthentication } from './call.ts'
import { COMMANDS_MS, followCommands } from './commands.ts'
import type { Fleet } from './fleet.ts'
import { limitGuesses } from './guess-limit.ts'
import { createRunningJobs } from './running-jobs.ts'
import { type FleetServer, serveFleet } from './server.ts'

/** How often the figures of agents are written. */
const ACTIVITY_MS = 5_000

/** The rooms that agents work with. */
type Rooms = {
  fleet: Fleet
  exits: Exits
  tasks: Tasks
  jobs: Jobs
  results: ResultAppender
  known: KnownPlaces
  secrets: SecretBox
}

/**
 * Starts the server for agents, the loop that passes commands on, and the loop that writes the figures of agents.
 * @throws ConfigError when the certificates are invalid, Error when the port is not available.
 */
export async function startFleet(
  { config, db, log }: Context,
  life: Lifecycle,
  { fleet, exits, tasks, jobs, ...others }: Rooms,
): Promise<FleetServer> {
  const { HOST: host, GRPC_PORT: port, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key } = config
  const credentials = fleetCredentials({ cert, key, clientCa: config.GRPC_TLS_CLIENT_CA })
  if (cert === undefined && !isLoopback(host)) {
    log.warn({ host }, 'agents are served without TLS on an address others can reach; set GRPC_TLS_CERT, GRPC_TLS_KEY')
  }
  const runningJobs = createRunningJobs((job_id) => findJob(db, job_id), jobs.engine)
  const deps = { db, log, version: VERSION, ...fleet, ...exits, ...tasks, ...jobs, ...others, runningJobs }
  const { flush } = fleet.activity
  life.own('agent activity', every(ACTIVITY_MS, 'writing the figures of agents', log, flush), async (loop) => {
    await loop.stop()
    await flush()
  })
  const commands = every(COMMANDS_MS, 'passing commands on to agents', log, () => followCommands(deps))
  life.own('agent commands', commands, (loop) => loop.stop())
  const rests = every(COMMANDS_MS, 'telling agents of exits that rest no more', log, exits.exitGrants.readRests)
  life.own('rests of exits', rests, (loop) => loop.stop())
  const exitOfCall = createExitOfCall(exits.exitIds, config.TRUSTED_PROXIES)
  const admit = limitGuesses(createAgentAuthentication(fleet.identities, config.AGENT_TOKEN), log)
  return life.own(
    'fleet server',
    await serveFleet({ ...deps, admit, exitOfCall }, { host, port, credentials }),
    (server) => server.close(),
  )
}

const isLoopback = (host: string): boolean => host === 'localhost' || classifyAddress(host) === 'loopback'

/** PEM files: the server's certificate chain and key, and the authorities that must sign agents' certificates. */
export type TlsFiles = { cert?: string | undefined; key?: string | undefined; clientCa?: string | undefined }

/**
 * Returns the TLS credentials of the server for agents.
 * @throws ConfigError when a file is missing or invalid, or when only one of two settings is set.
 */
function fleetCredentials({ cert, key, clientCa }: TlsFiles): ServerCredentials {
  if (cert === undefined && key === undefined && clientCa === undefined) return ServerCredentials.createInsecure()
  if (cert === undefined || key === undefined) {
    throw new ConfigError('GRPC_TLS_CERT and GRPC_TLS_KEY are needed together; GRPC_TLS_CLIENT_CA needs both.')
  }
  const own = readKeyPair({ name: 'GRPC_TLS_CERT', path: cert }, { name: 'GRPC_TLS_KEY', path: key })
  const authority = clientCa === undefined ? null : readCertificates({ name: 'GRPC_TLS_CLIENT_CA', path: clientCa })
  return ServerCredentials.createSsl(authority, [{ cert_chain: own.cert, private_key: own.key }], authority !== null)
}
