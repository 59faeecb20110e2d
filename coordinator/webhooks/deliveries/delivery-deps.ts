import { createLookup } from '@placefleet/shared/egress/lookup'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { DispatchParts } from './dispatch.ts'
import { createDeliveryLimits, type HourlyLimits } from './hourly-limits.ts'
import { createDeliveryQueue } from './store.ts'

/** SPEC, "Delivery outcome and retries": 10 seconds for an answer. */
const ANSWER_WITHIN_MS = 10_000

/** Attempts under way on one coordinator. A host that never answers holds up its own deliveries only. */
const CONCURRENCY = { total: 64, perHost: 8 }

export type DeliverySettings = {
  log: Logger
  db: Db
  secrets: SecretBox
  allowHosts: AllowHosts
  hourly: HourlyLimits
}

/** What deliveries are made with, as SPEC has it. */
export function createDeliveryParts({ log, db, secrets, allowHosts, hourly }: DeliverySettings): DispatchParts {
  return {
    log,
    db,
    secrets,
    queue: createDeliveryQueue(db),
    limits: createDeliveryLimits(db, hourly),
    egress: { allow: allowHosts, lookup: createLookup(allowHosts) },
    timeoutMs: ANSWER_WITHIN_MS,
    random: Math.random,
    concurrency: CONCURRENCY,
  }
}
