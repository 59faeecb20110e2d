import { z } from 'zod'
import type { QueueState } from '../../tasks/queue-state.ts'
import { AnyTask } from '../tasks.ts'
import { exitsAdvice, exitsCheck } from './exits.ts'
import { failedTasksAdvice, failedTasksCheck } from './failed-tasks.ts'
import { Check, Finding, finding, found, inEnglish } from './findings.ts'
import type { DatabaseDown, StoredState, SystemState, Unanswered } from './state.ts'

/** Clocks that NTP sets differ by far less. */
const TOLERATED_SECONDS = 5

const isOff = (lead: number): boolean => Math.abs(lead) > TOLERATED_SECONDS

/** The check of this host's clock. `lead`: by how many seconds it is ahead of the database's. */
function clockCheck(lead: number): Check {
  if (!isOff(lead)) return found('clock', [finding('clocks_agree')])
  const id = lead > 0 ? 'clock_ahead' : 'clock_behind'
  return found('clock', [finding(id, { by: Math.abs(lead) })], { warning: true })
}

/** Says what to do about clocks that differ. */
const clockAdvice = (lead: number): Finding[] => (isOff(lead) ? [finding('set_clocks')] : [])

/** The checks, and advice on why work is idle. */
export const Diagnosis = z
  .object({
    healthy: z.boolean(),
    checks: z.array(Check),
    advice: z.array(z.string()).describe('why work is idle, if it is, and what to do'),
    reasons: z.array(Finding).describe('each advice for programs, in the same order'),
    failed_tasks: z.array(AnyTask).describe('the latest tasks that failed in all their attempts, of any age'),
  })
  .meta({
    id: 'Diagnosis',
    description: 'Whether the deployment works, and why not.',
    examples: [
      {
        healthy: false,
        checks: [found('agents', [finding('no_agent_connected'), finding('jobs_wait')], { ok: false })],
        advice: [inEnglish(finding('start_agent'))],
        reasons: [finding('start_agent')],
        failed_tasks: [],
      },
    ],
  })
export type Diagnosis = z.infer<typeof Diagnosis>

/** Coordinators sweep every 5 s. Without a sweep for this long, none is running. */
const UNSWEPT_SECONDS = 30

/** Says what is wrong in a state, and what to do. */
export function diagnose({ mongodb, nats: queue }: SystemState): Diagnosis {
  const nats = lacksStream(mongodb, queue) ? NO_STREAM : queue
  const checks = [
    'down' in mongodb ? { name: 'MongoDB', ok: false, detail: mongodb.down } : writesCheck(mongodb),
    queueCheck(nats),
    ...('down' in mongodb ? [] : storedChecks(mongodb, nats)),
  ]
  const reasons = 'down' in mongodb ? [databaseAdvice(mongodb)] : storedAdvice(mongodb, nats)
  return {
    healthy: checks.every(({ ok }) => ok),
    checks,
    advice: reasons.map(inEnglish),
    reasons,
    failed_tasks: 'down' in mongodb ? [] : mongodb.failures.latest,
  }
}

const databaseAdvice = ({ fullDisk }: DatabaseDown): Finding =>
  fullDisk === undefined ? finding('start_mongodb') : finding('database_disk_full', { message: fullDisk })

const storedAdvice = (stored: StoredState, nats: SystemState['nats']): Finding[] => [
  ...whyIdle(stored, nats),
  ...exitsAdvice(stored.exits),
  ...chromiumAdvice(stored.fleet.withoutChromium.length),
  ...failedTasksAdvice(stored.failures),
  ...clockAdvice(stored.clockLead),
]

const NO_STREAM: Unanswered = { down: 'no stream' }

/** Whether the stream is missing although a running coordinator would have created it within 5 s. */
const lacksStream = (mongodb: SystemState['mongodb'], nats: SystemState['nats']): boolean =>
  'missing' in nats && 'coordinators' in mongodb && mongodb.coordinators > 0 && mongodb.tasks.unclaimed > 0

function queueCheck(nats: QueueState | Unanswered): Check {
  if (nats === NO_STREAM) return found('NATS', [finding('nats_without_stream')], { ok: false })
  if ('down' in nats) return { name: 'NATS', ok: false, detail: nats.down }
  return found('NATS', [finding('nats_works', { messages: nats.messages, listening: nats.listening })])
}

const writesCheck = ({ writeFailure: message }: StoredState): Check =>
  message === undefined
    ? found('MongoDB', [finding('mongodb_works')])
    : found('MongoDB', [finding('mongodb_rejects_writes', { message })], { ok: false })

function storedChecks(stored: StoredState, nats: SystemState['nats']): Check[] {
  const { clockLead, fleet, exits, jobs, tasks, failures } = stored
  return [
    coordinatorCheck(stored),
    agentsCheck(fleet, jobs.oldest !== undefined),
    exitsCheck(exits),
    chromiumCheck(fleet),
    jobsCheck(jobs),
    tasksCheck(stored, tasks, nats),
    clockCheck(clockLead),
    failedTasksCheck(failures),
  ]
}

function coordinatorCheck({ coordinators, jobs }: StoredState): Check {
  const sweep = jobs.swept === undefined ? finding('no_active_job') : finding('last_sweep', { age: jobs.swept })
  return found('coordinator', [finding('coordinators', { coordinators }), sweep], {
    ok: !unswept({ jobs }) && coordinators > 0,
  })
}

/** Without an agent, a job that waits is a failure. Otherwise the next job will wait. */
function agentsCheck({ connected, draining, silent, slots, busy }: StoredState['fleet'], jobWaits: boolean): Check {
  const others = finding('other_agents', { draining, silent })
  if (connected > 0) return found('agents', [finding('agents', { connected, busy, slots }), others])
  const findings = [finding('no_agent_connected'), finding('jobs_wait'), others]
  return found('agents', findings, jobWaits ? { ok: false } : { warning: true })
}

function chromiumCheck({ connected, withoutChromium }: StoredState['fleet']): Check {
  const [first] = withoutChromium
  if (!first) return found('Chromium', [finding(connected === 0 ? 'chromium_unknown' : 'chromium_works')])
  const { name: agent, message } = first
  const fails = finding('chromium_fails', { failing: withoutChromium.length, connected, agent, message })
  return found('Chromium', [fails], { ok: false })
}

const chromiumAdvice = (agents: number): Finding[] => (agents === 0 ? [] : [finding('chromium_missing', { agents })])

function jobsCheck({ pending, running, aborting, oldest, late }: StoredState['jobs']): Check {
  const longest = oldest ? [finding('oldest_job', oldest)] : []
  return found('jobs', [finding('jobs', { pending, running, aborting }), ...longest], { ok: late === 0 })
}

function tasksCheck({ fleet }: StoredState, tasks: StoredState['tasks'], nats: SystemState['nats']): Check {
  const { waiting, released, unclaimed, running } = tasks
  return found('tasks', [finding('tasks', { waiting, released, unclaimed, running })], {
    ok: unclaimed === 0 || fleet.busy >= fleet.slots || 'down' in nats,
  })
}

const unswept = ({ jobs: { oldest, swept } }: Pick<StoredState, 'jobs'>): boolean =>
  oldest !== undefined && (swept ?? oldest.age) > UNSWEPT_SECONDS

/** Reports the first reason that applies: the later ones are its consequences. */
function whyIdle(
  { coordinators, fleet, jobs, tasks, writeFailure }: StoredState,
  nats: SystemState['nats'],
): Finding[] {
  if (writeFailure !== undefined) return [finding('make_mongodb_writable')]
  if (!jobs.oldest && coordinators > 0) {
    return [finding('nothing_to_do'), ...(fleet.connected === 0 ? [noAgents(fleet)] : [])]
  }
  const { slots, busy, absentProxyAgents } = fleet
  const reasons: [holds: boolean, advice: Finding][] = [
    ['down' in nats, finding('nats_down')],
    [coordinators === 0 || unswept({ jobs }), finding('start_coordinator')],
    [fleet.connected === 0, noAgents(fleet)],
    [busy >= slots, finding('slots_busy', { slots })],
    [
      tasks.proxied > 0 && absentProxyAgents.length > 0,
      finding('proxy_agents_absent', { agents: absentProxyAgents.join(', '), tasks: tasks.proxied }),
    ],
    [
      tasks.unclaimed > 0,
      finding(listens(nats) ? 'claims_fail' : 'agents_listen_elsewhere', { tasks: tasks.unclaimed }),
    ],
    [tasks.refused > 0 && tasks.running === 0, finding('map_site_refuses', { tasks: tasks.refused })],
  ]
  const reason = reasons.find(([holds]) => holds)?.[1]
  const late = jobs.late > 0 ? [finding('late_jobs', { jobs: jobs.late })] : []
  return [...late, reason ?? finding('work_in_progress')]
}

const listens = (nats: SystemState['nats']): boolean => 'listening' in nats && nats.listening > 0

function noAgents({ draining, silent }: StoredState['fleet']): Finding {
  if (draining > 0) return finding('agents_drain', { agents: draining })
  return silent > 0 ? finding('agents_silent', { agents: silent }) : finding('start_agent')
}
