import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { jobBacklog } from '../jobs/reports.ts'
import { taskBacklog } from '../tasks/overview.ts'
import { queueState } from '../tasks/queue-state.ts'
import { countDueDeliveries } from '../webhooks/deliveries/store.ts'
import { countDisabledWebhooks } from '../webhooks/store.ts'
import type { Counters } from './counters.ts'
import { readMaintenance } from './maintenance.ts'

type MetricsDeps = {
  db: Db
  nats: NatsConnection
  /** The open task streams of this coordinator. */
  streams: { count(): number }
  counters: Counters
}

/**
 * Adds gauges to the counters of a coordinator and returns the registry of both. The gauges of jobs, tasks and webhooks
 * cover the whole deployment and are read from the database at each scrape. Alert on the age of the oldest active job.
 */
export function createCoordinatorMetrics({ db, nats, streams, counters: { registry } }: MetricsDeps): Registry {
  collectDefaultMetrics({ register: registry })
  gauge(registry, 'placefleet_task_streams', 'task streams open on this coordinator', [], async (set) =>
    set({}, streams.count()),
  )
  const backlog = shared(() => jobBacklog(db))
  gauge(registry, 'placefleet_jobs', 'jobs that have not ended', ['status'], async (set) => {
    const { pending, running, aborting } = await backlog()
    for (const [status, count] of Object.entries({ pending, running, aborting })) set({ status }, count)
  })
  gauge(registry, 'placefleet_oldest_job_seconds', 'age of the oldest job that has not ended', [], async (set) =>
    set({}, (await backlog()).oldest?.age ?? 0),
  )
  const tasks =
    'tasks that have not ended; refused ones are those among the waiting that the map site refuses every address and proxy'
  gauge(registry, 'placefleet_tasks', tasks, ['state'], async (set) => {
    const { waiting, released, running, refused } = await taskBacklog(db)
    for (const [state, count] of Object.entries({ waiting, released, running, refused })) set({ state }, count)
  })
  addWebhookGauges(registry, db)
  addMaintenanceGauges(registry, db)
  addServerGauges(registry, db, nats)
  return registry
}

function addWebhookGauges(registry: Registry, db: Db): void {
  gauge(registry, 'placefleet_webhook_deliveries_due', 'webhook deliveries that are due', [], async (set) =>
    set({}, await countDueDeliveries(db)),
  )
  gauge(registry, 'placefleet_webhooks_disabled', 'webhooks disabled after failures', [], async (set) =>
    set({}, await countDisabledWebhooks(db)),
  )
}

/** The gauges of times are 0 before the first time, so that a rule sees a deployment without any backup. */
function addMaintenanceGauges(registry: Registry, db: Db): void {
  const maintenance = shared(() => readMaintenance(db))
  const secondsOf = (at: Date | undefined) => (at?.getTime() ?? 0) / 1_000
  gauge(registry, 'placefleet_last_backup_timestamp_seconds', 'when `ops backup` last succeeded', [], async (set) =>
    set({}, secondsOf((await maintenance()).backed_up_at)),
  )
  gauge(registry, 'placefleet_last_verification_timestamp_seconds', 'last `ops ledger verify`', [], async (set) =>
    set({}, secondsOf((await maintenance()).verified_at)),
  )
  gauge(
    registry,
    'placefleet_ledger_deviations',
    'deviations that the last `ops ledger verify` found',
    [],
    async (set) => set({}, (await maintenance()).deviations ?? 0),
  )
}

function addServerGauges(registry: Registry, db: Db, nats: NatsConnection): void {
  gauge(registry, 'placefleet_database_seconds', 'round trip to MongoDB', [], (set) =>
    timed(set, () => db.command({ ping: 1 })),
  )
  gauge(registry, 'placefleet_queue_seconds', 'round trip to NATS', [], (set) => timed(set, () => nats.rtt()))
  gauge(registry, 'placefleet_queue_messages', 'task notifications in NATS that no agent has taken', [], async (set) =>
    set({}, (await queueState(nats)).messages),
  )
}

async function timed(set: Set, ask: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await ask()
  set({}, (performance.now() - begun) / 1_000)
}

/** Shares one run of a query between the gauges of a scrape, which read at the same time. */
function shared<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= query().finally(() => {
      running = undefined
    })
    return running
  }
}

type Set = (labels: Record<string, string>, value: number) => void

/** Registers a gauge that is read at each scrape. Omits the gauge while its source does not answer. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: (set: Set) => Promise<void>,
) {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      this.reset()
      await read((labels, value) => this.set(labels, value)).catch(() => this.remove())
    },
  })
}
