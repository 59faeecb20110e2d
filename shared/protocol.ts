/** The version of the contract between agents and coordinators, exchanged when an agent registers. */
export const PROTOCOL = 1

/** How often an agent renews its lease on a task. Three fit into a lease, so that one may be lost. */
export const HEARTBEAT_MS = 5_000

/** How often an agent says how it is, whether or not anything changed. */
export const REGISTER_MS = 10_000

/** Keepalive of both ends: a frozen peer is noticed within the sum, long before its leases end. */
export const KEEPALIVE = {
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
} as const

/** The largest message either end takes. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
