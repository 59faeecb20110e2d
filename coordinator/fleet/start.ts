import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import { every, type Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { createAdmission } from './admission.ts'
import { fleetCredentials } from './credentials.ts'
import { followOrders, ORDERS_MS, type OrderParts } from './orders.ts'
import type { RegisterParts } from './register.ts'
import type { RunTaskParts } from './run-task.ts'
import { type FleetServer, serveFleet } from './server.ts'

/** How often what agents did is written down. */
const ACTIVITY_MS = 5_000

export type FleetParts = RunTaskParts & RegisterParts & OrderParts

/** The settings of a coordinator that concern agents. */
export type FleetSettings = {
  HOST: string
  GRPC_PORT: number
  AGENT_TOKEN?: string | undefined
  GRPC_TLS_CERT?: string | undefined
  GRPC_TLS_KEY?: string | undefined
  GRPC_TLS_CLIENT_CA?: string | undefined
}

/**
 * Starts what a coordinator has for agents: the server, the loop that passes on orders, the notes of what they did.
 * @throws ConfigError when the certificates are wrong, Error when the port cannot be had.
 */
export async function startFleet(
  parts: FleetParts,
  settings: FleetSettings,
  log: Logger,
  life: Lifecycle,
): Promise<FleetServer> {
  const { HOST: host, GRPC_PORT: port, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key } = settings
  const credentials = fleetCredentials({ cert, key, clientCa: settings.GRPC_TLS_CLIENT_CA })
  if (cert === undefined && !isLoopback(host)) {
    log.warn({ host }, 'agents are served without TLS on an address others can reach; set GRPC_TLS_CERT, GRPC_TLS_KEY')
  }
  const { activity } = parts
  life.own('agent activity', every(ACTIVITY_MS, 'noting what agents did', log, activity.flush), async (loop) => {
    await loop.stop()
    await activity.flush()
  })
  const orders = every(ORDERS_MS, 'passing orders on to agents', log, () => followOrders(parts))
  life.own('orders', orders, (loop) => loop.stop())
  const admit = createAdmission(parts.identities, settings.AGENT_TOKEN)
  return life.own('fleet server', await serveFleet({ ...parts, admit }, { host, port, credentials }), (server) =>
    server.close(),
  )
}

const isLoopback = (host: string): boolean => host === 'localhost' || classifyAddress(host) === 'loopback'
