import { ServerCredentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'
import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import { every, type Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'
import { createExitOfCall } from './agent-exit.ts'
import { createAgentAuthentication } from './call.ts'
import { COMMANDS_MS, type CommandDeps, followCommands } from './commands.ts'
import { limitGuesses } from './guess-limit.ts'
import type { RegisterDeps } from './register.ts'
import type { RunTaskDeps } from './run-task.ts'
import { type FleetServer, serveFleet } from './server.ts'
import type { TakeTurnsDeps } from './take-turns.ts'

/** How often the figures of agents are written. */
const ACTIVITY_MS = 5_000

type FleetDeps = RunTaskDeps & RegisterDeps & CommandDeps & TakeTurnsDeps

/** The settings of a coordinator that concern agents. */
type FleetSettings = {
  HOST: string
  GRPC_PORT: number
  AGENT_TOKEN?: string | undefined
  TRUSTED_PROXIES: readonly string[]
  GRPC_TLS_CERT?: string | undefined
  GRPC_TLS_KEY?: string | undefined
  GRPC_TLS_CLIENT_CA?: string | undefined
}

/**
 * Starts the server for agents, the loop that passes commands on, and the loop that writes the figures of agents.
 * @throws ConfigError when the certificates are invalid, Error when the port is not available.
 */
export async function startFleet(
  deps: FleetDeps,
  settings: FleetSettings,
  log: Logger,
  life: Lifecycle,
): Promise<FleetServer> {
  const { HOST: host, GRPC_PORT: port, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key } = settings
  const credentials = fleetCredentials({ cert, key, clientCa: settings.GRPC_TLS_CLIENT_CA })
  if (cert === undefined && !isLoopback(host)) {
    log.warn({ host }, 'agents are served without TLS on an address others can reach; set GRPC_TLS_CERT, GRPC_TLS_KEY')
  }
  const { activity } = deps
  life.own('agent activity', every(ACTIVITY_MS, 'writing the figures of agents', log, activity.flush), async (loop) => {
    await loop.stop()
    await activity.flush()
  })
  const commands = every(COMMANDS_MS, 'passing commands on to agents', log, () => followCommands(deps))
  life.own('agent commands', commands, (loop) => loop.stop())
  const rests = every(COMMANDS_MS, 'telling agents of exits that rest no more', log, deps.exitGrants.readRests)
  life.own('rests of exits', rests, (loop) => loop.stop())
  const exitOfCall = createExitOfCall(deps.exitIds, settings.TRUSTED_PROXIES)
  const admit = limitGuesses(createAgentAuthentication(deps.identities, settings.AGENT_TOKEN), log)
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
