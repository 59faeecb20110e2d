import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import { accountIndexes } from './accounts/collections.ts'
import { billingIndexes } from './billing/collections.ts'
import { createHolds } from './billing/holds.ts'
import { createLedger } from './billing/ledger.ts'
import { mongoLedgerStore } from './billing/ledger-store.ts'
import { createPriceRules } from './billing/price-rules.ts'
import type { Config } from './config.ts'
import { createAgentRegistry } from './fleet/agents.ts'
import { announceJobEnd } from './fleet/control.ts'
import { createOpenStreams } from './fleet/open-streams.ts'
import { createJobEngine } from './jobs/engine.ts'
import { jobIndexes } from './jobs/indexes.ts'
import { createJobStore, jobCollection } from './jobs/store.ts'
import { createResultAppender } from './results/append.ts'
import { resultIndexes } from './results/collection.ts'
import { createSecretBox } from './secrets/secret-box.ts'
import { secretsKey } from './secrets/secrets-key.ts'
import { createDoorbell } from './tasks/doorbell.ts'
import { taskIndexes } from './tasks/indexes.ts'
import { createLeases } from './tasks/lease.ts'
import { createReferences } from './tasks/references.ts'
import { createTaskStore, taskCollection } from './tasks/store.ts'

/** Every index a coordinator relies on; the unique ones are rules. */
export const indexes = [...accountIndexes, ...billingIndexes, ...jobIndexes, ...taskIndexes, ...resultIndexes]

/** Everything a coordinator does, wired over one database and one queue; nothing of it is open or running yet. */
export async function createServices(config: Config, log: Logger, db: Db, nats: NatsConnection) {
  const streams = createOpenStreams()
  const ledgerStore = mongoLedgerStore(db)
  const ledger = createLedger(ledgerStore)
  const tasks = createTaskStore(taskCollection(db))
  const stores = {
    log,
    jobs: createJobStore(jobCollection(db)),
    tasks,
    leases: createLeases(taskCollection(db)),
    references: createReferences(db),
    results: createResultAppender(db),
    holds: createHolds(ledger),
    doorbell: await createDoorbell(nats, log),
  }
  const engine = createJobEngine({ ...stores, announceEnd: announceJobEnd(nats, streams, log) })
  return {
    ...stores,
    engine,
    streams,
    ledger,
    ledgerStore,
    prices: createPriceRules(db),
    agents: createAgentRegistry(db),
    secrets: createSecretBox(secretsKey(config.SECRETS_KEY, config.DATA_DIR)),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
