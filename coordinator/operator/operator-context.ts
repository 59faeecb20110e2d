import { readEnv } from '@placefleet/shared/config'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import { urlSetting } from '@placefleet/shared/setting-types'
import type { Db } from 'mongodb'
import { createLedger, type Ledger } from '../billing/ledger/ledger.ts'
import { mongoLedgerStore } from '../billing/ledger/store.ts'
import { COORDINATOR_SETTINGS } from '../config.ts'
import { createExitIds } from '../exits/documents.ts'
import { createProxyPool, type ProxyPool } from '../exits/pool.ts'
import type { JobEngine } from '../jobs/engine.ts'
import { consoleUrl } from '../process/presence.ts'
import { createSecretBox } from '../secrets/secret-box.ts'
import { secretsKeyOf } from './commands/addresses.ts'
import type { OpsContext } from './commands/context.ts'
import type { StateSources } from './doctor/state.ts'

/** What the operations of operators work with, in a coordinator and in a process of `ops`. */
export type OperatorContext = {
  db: Db
  ledger: Ledger
  /** @throws ConfigError or AppError `unavailable` without SECRETS_KEY. */
  proxyPool(): Pick<ProxyPool, 'add'>
  /** The hosts in private networks that proxies may have. */
  allowHosts(): AllowHosts
  /** The address of the coordinators for agents: `host:port`. */
  coordinator: string
  /** The address of the console. @throws AppError `unavailable` while no coordinator has started. */
  consoleUrl(): Promise<string>
}

/** What operations of the API alone work with. */
export type ApiContext = OperatorContext & { engine: JobEngine; sources: StateSources }

/** The address of a coordinator with default settings. */
const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Opens the database of a process of `ops`. The rest comes from its environment when an operation asks for it. */
export async function operatorContext({ database, env }: OpsContext): Promise<OperatorContext> {
  const db = await database()
  return {
    db,
    ledger: createLedger(mongoLedgerStore(db)),
    proxyPool() {
      const key = secretsKeyOf(env)
      return createProxyPool(db, { secrets: createSecretBox(key), exitIds: createExitIds(key) })
    },
    allowHosts: () => readEnv({ EGRESS_ALLOW_HOSTS: COORDINATOR_SETTINGS.EGRESS_ALLOW_HOSTS }, env).EGRESS_ALLOW_HOSTS,
    coordinator: 'host:50051',
    async consoleUrl() {
      const { PUBLIC_URL } = readEnv({ PUBLIC_URL: urlSetting().optional() }, env)
      return PUBLIC_URL ?? (await consoleUrl(db)) ?? DEFAULT_URL
    },
  }
}
