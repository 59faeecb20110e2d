import { accountIndexes } from './accounts/documents.ts'
import { limitIndexes } from './accounts/limits.ts'
import { authIndexes } from './auth/documents.ts'
import { ledgerIndexes } from './billing/ledger/documents.ts'
import { priceRuleIndexes } from './billing/prices/price-rules.ts'
import { stripeIndexes } from './billing/purchases/stripe/documents.ts'
import { coverageIndexes } from './coverage/documents.ts'
import { exitIndexes } from './exits/documents.ts'
import { activityIndexes } from './fleet/activity.ts'
import { agentIndexes } from './fleet/agents.ts'
import { identityIndexes } from './fleet/identities.ts'
import { pathCheckIndexes } from './fleet/path-checks.ts'
import { jobIndexes } from './jobs/documents.ts'
import { knownPlaceIndexes } from './known-places/documents.ts'
import { changeIndexes } from './monitors/changes/documents.ts'
import { monitorIndexes } from './monitors/documents.ts'
import { presenceIndexes } from './process/presence.ts'
import { resultIndexes } from './results/documents.ts'
import { supportIndexes } from './support/store.ts'
import { taskIndexes } from './tasks/documents.ts'
import { deliveryIndexes } from './webhooks/deliveries/documents.ts'
import { webhookIndexes } from './webhooks/documents.ts'

/** Every index of a coordinator. Unique indexes enforce rules. */
export const indexes = [
  ...accountIndexes,
  ...limitIndexes,
  ...authIndexes,
  ...ledgerIndexes,
  ...priceRuleIndexes,
  ...stripeIndexes,
  ...webhookIndexes,
  ...deliveryIndexes,
  ...resultIndexes,
  ...knownPlaceIndexes,
  ...taskIndexes,
  ...coverageIndexes,
  ...jobIndexes,
  ...monitorIndexes,
  ...changeIndexes,
  ...supportIndexes,
  ...identityIndexes,
  ...agentIndexes,
  ...exitIndexes,
  ...pathCheckIndexes,
  ...activityIndexes,
  ...presenceIndexes,
]
