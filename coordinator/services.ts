import { createSignIn } from './auth/oidc/oidc.ts'
import { createBilling } from './billing/billing.ts'
import type { Context } from './context.ts'
import { createExits } from './exits/exits.ts'
import { createFleet } from './fleet/fleet.ts'
import { VERSION } from './http/version.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { createKnownPlaces } from './known-places/store.ts'
import { createMonitorStores, createMonitors } from './monitors/monitors.ts'
import { createPresence } from './process/presence.ts'
import { createResultAppender } from './results/append.ts'
import { createSecretBox, decodeSecretsKey, secretsNotConfigured } from './secrets/secret-box.ts'
import { createTasks } from './tasks/tasks.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

/** Creates the rooms of a coordinator, from the lowest to the highest. It starts none of them. */
export async function createServices(context: Context) {
  const { config, db } = context
  const key = config.SECRETS_KEY === undefined ? undefined : decodeSecretsKey(config.SECRETS_KEY)
  const secrets = key === undefined ? secretsNotConfigured : createSecretBox(key)
  const billing = await createBilling(context)
  const webhooks = createWebhooks(context)
  const results = createResultAppender(db)
  const known = createKnownPlaces(db, { whenRecorded: (user_id) => jobs.whenPlacesKnown(user_id) })
  const tasks = await createTasks(context)
  const exits = createExits(context, secrets, key)
  const fleet = createFleet(context, exits)
  const monitorStores = createMonitorStores(context, webhooks.recordPause)
  const jobs: Jobs = createJobs(context, {
    billing,
    tasks,
    results,
    known,
    secrets,
    agents: fleet.taskAgents.list,
    announceEnd: fleet.announceEnd,
    recordDeliveries: webhooks.recordDeliveries,
    recordRunEnd: monitorStores.recordRunEnd,
    isNeeded: monitorStores.isNeeded,
  })
  const monitors = createMonitors(monitorStores, jobs)
  const oidc = createSignIn(context, billing.ledger)
  const presence = createPresence(db, VERSION)
  return { secrets, billing, oidc, webhooks, results, known, tasks, exits, fleet, monitors, jobs, presence }
}
