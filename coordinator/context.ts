import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import type { Config } from './config.ts'
import type { Counters } from './process/counters.ts'
import type { Timings } from './timings.ts'

/** What a coordinator opens once and all its rooms use. */
export type Context = {
  config: Config
  log: Logger
  db: Db
  nats: NatsConnection
  counters: Counters
  timings: Timings
  /** Creates a demo job for users without a job when they sign in with a link. Undefined: no demo jobs. */
  demoCity?: DemoCity | undefined
}

/** Collects the tasks of demo jobs from a simulated city. */
export type DemoCity = {
  /** Offers a task of a demo job to the city. Idempotent. */
  offer(task_id: string): void
}
