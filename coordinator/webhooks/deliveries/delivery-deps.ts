import { createLookup } from '@placefleet/shared/egress/lookup'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { Timings } from '../../timings.ts'
import type { DispatchDeps } from './dispatch.ts'
import { createDeliveryLimits, type HourlyLimits } from './hourly-limits.ts'
import { createDeliveryQueue } from './store.ts'

/** How long a receiver may take to respond. */
const RESPONSE_TIMEOUT_MS = 10_000

/** Attempts in flight on one coordinator. A host that never answers delays only its own deliveries. */
const CONCURRENCY = { total: 64, perHost: 8 }

type DeliverySettings = {
  log: Logger
  db: Db
  secrets: SecretBox
  allowHosts: AllowHosts
  hourly: HourlyLimits
  timings: Timings
}

/** Wires the dependencies of deliveries with their limits. */
export function createDeliveryDeps({ log, db, secrets, allowHosts, hourly, timings }: DeliverySettings): DispatchDeps {
  return {
    log,
    db,
    secrets,
    queue: createDeliveryQueue(db, timings),
    limits: createDeliveryLimits(db, hourly),
    egress: { allow: allowHosts, lookup: createLookup(allowHosts) },
    timeoutMs: RESPONSE_TIMEOUT_MS,
    renewEveryMs: 0.3 * timings.deliveryLeaseMs, // so two renewals may be lost
    random: Math.random,
    concurrency: CONCURRENCY,
  }
}
