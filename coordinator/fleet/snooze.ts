import type { Snoozed } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Leases } from '../tasks/lease.ts'
import type { AgentRegistry } from './agents.ts'
import { ContractViolation } from './call.ts'
import type { RunningTask } from './ingest.ts'

export type SnoozeDeps = {
  log: Logger
  leases: Leases
  agents: Pick<AgentRegistry, 'exits' | 'ids' | 'handedBack'>
}

/** The longest snooze: an exit rests at most a day, or as long as the site demands. */
const MAX_SNOOZE_SECONDS = 7 * 24 * 3_600

/**
 * Takes back a task that the map site refuses, and records the refused exit or agent. Returns false when the lease is
 * lost.
 * @throws ContractViolation when the duration is out of bounds.
 */
export async function snoozeTask(
  deps: SnoozeDeps,
  task: SnoozedTask,
  { seconds, wants_browser, reason: said }: Snoozed,
  { counted, visits }: { counted: Partial<OutcomeCounts>; visits: WebsiteVisits },
): Promise<boolean> {
  if (!(seconds > 0 && seconds <= MAX_SNOOZE_SECONDS))
    throw new ContractViolation('a snooze that is not between 0 and 7 days')
  const reason = said === 'unknown' ? 'unknown' : 'blocked'
  deps.log.info(
    { job_id: task.job._id, task_id: task.held.lease.task_id, exit: task.exit, seconds, reason },
    'the map site refused a task; it waits',
  )
  const refused = await refusedAndOthers(deps, task, wants_browser)
  return deps.leases.snooze(task.held.lease, { seconds, reason, ...refused }, counted, visits)
}

type SnoozedTask = Pick<RunningTask, 'held' | 'exit' | 'proxied' | 'job'>

/** Returns the refused exit or agent, and those that may continue at once: other exits, unless it used proxies. */
async function refusedAndOthers(
  { agents }: SnoozeDeps,
  { held, exit, proxied }: SnoozedTask,
  wantsBrowser: boolean,
): Promise<{ claimant: string; others: string[] }> {
  const { agent_id } = held.lease
  if (wantsBrowser) return { claimant: agent_id, others: (await agents.ids()).filter((id) => id !== agent_id) }
  return { claimant: exit, others: proxied ? [] : (await agents.exits()).filter((other) => other !== exit) }
}
