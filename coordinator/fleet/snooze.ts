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
  agents: Pick<AgentRegistry, 'hostOf' | 'hosts' | 'ids' | 'handedBack'>
}

/** The longest snooze: an exit rests at most a day, or as long as the site demands. */
const MAX_SNOOZE_SECONDS = 7 * 24 * 3_600

/**
 * Takes back a task that the map site refuses, and records the refused host or agent. Returns false when the lease is
 * lost.
 * @throws ContractViolation when the duration is out of bounds.
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
  deps.log.info({ job_id: job._id, task_id: lease.task_id, seconds }, 'the map site refused a task; it waits')
  const refused = await refusedAndOthers(deps, lease, job, wants_browser)
  return deps.leases.snooze(lease, { seconds, ...refused }, counted, visits)
}

/**
 * Returns the refused host or agent, and those that may continue at once: other hosts have other addresses, unless the
 * job uses proxies.
 */
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
