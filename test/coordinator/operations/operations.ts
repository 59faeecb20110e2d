import { accountOperations } from './accounts.ts'
import { agentStreams } from './agent-streams.ts'
import { billingOperations } from './billing.ts'
import { endedJobs } from './ended-jobs.ts'
import { cancellations } from './job-cancellations.ts'
import { creations } from './job-creations.ts'
import { jobLife } from './job-life.ts'
import { monitorOperations } from './monitors.ts'
import type { Operation } from './operation.ts'
import { poolOperations } from './pool.ts'
import { resultOperations } from './results.ts'
import { secretOperations } from './secrets.ts'
import { stripeOperations } from './stripe.ts'
import { turns } from './turns.ts'
import { webhookOperations } from './webhooks.ts'

/** Every row of the tables. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...billingOperations,
  ...stripeOperations,
  ...secretOperations,
  ...poolOperations,
  ...webhookOperations,
  ...resultOperations,
  ...creations,
  ...cancellations,
  ...jobLife,
  ...endedJobs,
  ...agentStreams,
  ...turns,
  ...monitorOperations,
]
