import type { Snoozed } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { JobDocument } from '../jobs/documents.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import type { AgentRegistry } from './agents.ts'
import { ContractViolation } from './call.ts'

export type SnoozeDeps = {
  log: Logger
  leases: Leases
  agents: Pick<AgentRegistry, 'hostOf' | 'hosts' | 'ids'>
}

/** An exit rests a day at most, or as long as the site says. */
const MAX_SNOOZE_SECONDS = 7 * 24 * 3_600

/**
 * Takes back a task that the map site refuses, and remembers whom it refuses. False: the lease is lost.
 * @throws ContractViolation when the agent names an impossible time.
 */
export async function snoozeTask(
  deps: SnoozeDeps,
  lease: Lease,
  job: JobDocument,
  { seconds, wants_browser }: Snoozed,
  { counted, visits }: { counted: Partial<OutcomeCounts>; visits: WebsiteVisits },
): Promise<boolean> {
  if (!(seconds > 0 && seconds <= MAX_SNOOZE_SECONDS))
    throw new ContractViolation('a snooze that is not between 0 and 7 days')
  deps.log.info({ job_id: job._id, task_id: lease.task_id, seconds }, 'the map site refuses an agent; its task waits')
  const refused = await refusedAndOthers(deps, lease, job, wants_browser)
  return deps.leases.snooze(lease, { seconds, ...refused }, counted, visits)
}

/** Whom the site refuses, and who may go on at once: another host has another address, unless the job goes out by proxies. */
async function refusedAndOthers(
  { agents }: SnoozeDeps,
  { agent_id }: Lease,
  { proxy_count }: JobDocument,
  wantsBrowser: boolean,
): Promise<{ host: string; others: string[] }> {
  if (wantsBrowser) return { host: agent_id, others: (await agents.ids()).filter((id) => id !== agent_id) }
  const host = (await agents.hostOf(agent_id)) ?? agent_id
  return { host, others: proxy_count > 0 ? [] : (await agents.hosts()).filter((other) => other !== host) }
}
