import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import type { Config } from '../config.ts'
import type { Counters } from './counters.ts'

/** What a coordinator opens once and all its parts use. The lifecycle owns what they open in turn. */
export type Process = {
  config: Config
  log: Logger
  life: Lifecycle
  db: Db
  nats: NatsConnection
  counters: Counters
}
