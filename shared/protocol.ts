/**
 * The version of the contract between agents and coordinators, said with every call.
 * 1: the first one. 2: an agent says its version with every call, claims have an id, and a `Stop` for `draining` sends
 * an agent to another coordinator instead of ending its task.
 */
export const PROTOCOL = 2

/** The metadata that carries the version. Agents of version 1 send none. */
export const PROTOCOL_METADATA = 'placefleet-protocol'

/** Whether a peer's version goes together with ours: one apart at most, so that either side may be updated first. */
export const isCompatible = (protocol: number): boolean => Math.abs(protocol - PROTOCOL) <= 1

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

/** What one event holds at most. */
export const MAX_EVENT = { places: 500, references: 1_000 } as const
