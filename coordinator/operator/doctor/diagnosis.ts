import { z } from 'zod'
import type { QueueState } from '../../tasks/queue-state.ts'
import { AnyTask } from '../tasks.ts'
import { exitsAdvice, exitsCheck } from './exits.ts'
import { failedTasksAdvice, failedTasksCheck } from './failed-tasks.ts'
import type { StoredState, SystemState, Unanswered } from './state.ts'
import { counted, span } from './words.ts'

/** Clocks that NTP sets differ by far less. */
const TOLERATED_SECONDS = 5

const isOff = (lead: number): boolean => Math.abs(lead) > TOLERATED_SECONDS

/** The check of this host's clock. `lead`: by how many seconds it is ahead of the database's. */
function clockCheck(lead: number) {
  const off = `is ${span(Math.abs(lead))} ${lead > 0 ? 'ahead of' : 'behind'}`
  const detail = `the clock of this host ${isOff(lead) ? off : 'agrees with'} that of the database`
  return { name: 'clock', ok: true, detail, ...(isOff(lead) && { warning: true }) }
}

/** Says what to do about clocks that differ. */
const clockAdvice = (lead: number): string[] =>
  isOff(lead)
    ? ['Let NTP set the clocks of this host and of MongoDB: shown times and checked dates are wrong now.']
    : []

/** One check. */
const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  warning: z.boolean().optional().describe('true when it works, but an operator should look'),
  detail: z.string(),
})
export type Check = z.infer<typeof Check>

/** The checks, and advice on why work is idle. */
export const Diagnosis = z
  .object({
    healthy: z.boolean(),
    checks: z.array(Check),
    advice: z.array(z.string()).describe('why work is idle, if it is, and what to do'),
    failed_tasks: z.array(AnyTask).describe('the latest tasks that failed in all their attempts, of any age'),
  })
  .meta({
    id: 'Diagnosis',
    description: 'Whether the deployment works, and why not.',
    examples: [
      {
        healthy: false,
        checks: [{ name: 'agents', ok: false, detail: '0 connected with 0 of 0 slots busy; 0 draining, 0 silent' }],
        advice: ['No agent is connected: start one.'],
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
    'down' in mongodb ? failed('MongoDB', mongodb) : writesCheck(mongodb),
    'down' in nats ? failed('NATS', nats) : passed('NATS', queueInWords(nats)),
    ...('down' in mongodb ? [] : storedChecks(mongodb, nats)),
  ]
  const healthy = checks.every(({ ok }) => ok)
  if ('down' in mongodb) return { healthy, checks, advice: [mongodb.fullDisk ?? NO_DATABASE], failed_tasks: [] }
  const advice = [
    ...whyIdle(mongodb, nats),
    ...exitsAdvice(mongodb.exits),
    ...chromiumAdvice(mongodb.fleet.withoutChromium.length),
    ...failedTasksAdvice(mongodb.failures),
    ...clockAdvice(mongodb.clockLead),
  ]
  return { healthy, checks, advice, failed_tasks: mongodb.failures.latest }
}

const NO_DATABASE =
  'Nothing works without MongoDB. Start it first; a replica set elects a primary once most of its members run.'

const NO_STREAM: Unanswered = {
  down:
    'answers, but has no stream of tasks. Is it the NATS_URL of the coordinators? Then their logs say why they cannot ' +
    'create the stream; NATS_REPLICAS may be more than its servers.',
}

/** Whether the stream is missing although a running coordinator would have created it within 5 s. */
const lacksStream = (mongodb: SystemState['mongodb'], nats: SystemState['nats']): boolean =>
  'missing' in nats && 'coordinators' in mongodb && mongodb.coordinators > 0 && mongodb.tasks.unclaimed > 0

const passed = (name: string, detail: string): Check => ({ name, ok: true, detail })
const failed = (name: string, { down }: Unanswered): Check => ({ name, ok: false, detail: down })

const queueInWords = ({ messages, listening }: QueueState) =>
  `answers; ${counted(messages, 'message')} queued, ${counted(listening, 'agent slot')} waiting for a task`

const writesCheck = ({ writeFailure }: StoredState): Check =>
  writeFailure === undefined
    ? passed('MongoDB', 'answers and accepts writes')
    : failed('MongoDB', { down: `answers, but rejects writes: ${writeFailure}` })

function storedChecks(
  { clockLead, coordinators, fleet, exits, jobs, tasks, failures }: StoredState,
  nats: SystemState['nats'],
): Check[] {
  const { slots, busy } = fleet
  const { oldest } = jobs
  const longest = oldest ? `; the oldest has been ${oldest.status} for ${span(oldest.age)} (${oldest.job_id})` : ''
  return [
    {
      name: 'coordinator',
      ok: !unswept({ jobs }) && coordinators > 0,
      detail: `${coordinators} at work; ${jobs.swept === undefined ? 'no active job' : `last sweep ${span(jobs.swept)} ago`}`,
    },
    agentsCheck(fleet, oldest !== undefined),
    exitsCheck(exits),
    chromiumCheck(fleet),
    {
      name: 'jobs',
      ok: jobs.late === 0,
      detail: `${jobs.pending} pending, ${jobs.running} running, ${jobs.aborting} aborting${longest}`,
    },
    {
      name: 'tasks',
      ok: tasks.unclaimed === 0 || busy >= slots || 'down' in nats,
      detail: `${tasks.waiting} waiting, ${tasks.released} released (${tasks.unclaimed} unclaimed for long), ${tasks.running} running`,
    },
    clockCheck(clockLead),
    failedTasksCheck(failures),
  ]
}

function chromiumCheck({ connected, withoutChromium }: StoredState['fleet']): Check {
  const [first] = withoutChromium
  if (!first) return passed('Chromium', connected === 0 ? 'no agent to ask' : 'no connected agent reports a problem')
  return failed('Chromium', {
    down: `${withoutChromium.length} of ${counted(connected, 'agent')} cannot start it; ${first.name}: ${first.message}`,
  })
}

const chromiumAdvice = (agents: number): string[] =>
  agents === 0
    ? []
    : [`${counted(agents, 'agent')} cannot start Chromium. Jobs that need it fail, or lack parts of places.`]

/** Without an agent, a job that waits is a failure. Otherwise the next job will wait. */
function agentsCheck(fleet: StoredState['fleet'], jobWaits: boolean): Check {
  const { connected, draining, silent, slots, busy } = fleet
  const others = `${draining} draining, ${silent} silent`
  if (connected > 0) return passed('agents', `${connected} connected with ${busy} of ${slots} slots busy; ${others}`)
  const detail = `no agent is connected; jobs wait; ${others}`
  return jobWaits ? failed('agents', { down: detail }) : { ...passed('agents', detail), warning: true }
}

const unswept = ({ jobs: { oldest, swept } }: Pick<StoredState, 'jobs'>): boolean =>
  oldest !== undefined && (swept ?? oldest.age) > UNSWEPT_SECONDS

/** Reports the first reason that applies: the later ones are its consequences. */
function whyIdle({ coordinators, fleet, jobs, tasks, writeFailure }: StoredState, nats: SystemState['nats']): string[] {
  const late =
    jobs.late > 0
      ? [`${counted(jobs.late, 'job')} should have ended by max_time. List them with: jobs list --status running.`]
      : []
  if (writeFailure !== undefined)
    return ['MongoDB rejects writes, so no job can progress. Free space on its disk, or make it writable.']
  if (!jobs.oldest && coordinators > 0) {
    return ['Nothing to do: no job is pending or running.', ...(fleet.connected === 0 ? [noAgents(fleet)] : [])]
  }
  const free = fleet.slots - fleet.busy
  const reasons: [holds: boolean, advice: string][] = [
    ['down' in nats, 'Agents get no new tasks while NATS is down. No job is lost: work resumes when NATS answers.'],
    [coordinators === 0 || unswept({ jobs }), 'No coordinator is running. Start one on this MongoDB and NATS.'],
    [fleet.connected === 0, noAgents(fleet)],
    [free <= 0, `All ${fleet.slots} slots are busy and the other tasks wait. Start more agents to go faster.`],
    [tasks.proxied > 0 && fleet.absentProxyAgents.length > 0, noProxyAgents(tasks.proxied, fleet)],
    [tasks.unclaimed > 0, unclaimed(tasks.unclaimed, nats)],
    [tasks.refused > 0 && tasks.running === 0, refused(tasks.refused)],
  ]
  const reason = reasons.find(([holds]) => holds)?.[1]
  return [...late, reason ?? 'Work is in progress.']
}

function noAgents({ draining, silent }: StoredState['fleet']): string {
  if (draining > 0)
    return `${counted(draining, 'agent')} draining. Resume one (agents resume <name>), or start another.`
  if (silent > 0) return `${counted(silent, 'agent')} silent: frozen, or unable to reach the coordinators?`
  return 'No agent is connected. Start one with the COORDINATOR_GRPC, NATS_URL and AGENT_TOKEN of the coordinators.'
}

const noProxyAgents = (tasks: number, { absentProxyAgents }: StoredState['fleet']) =>
  `No agent of PROXY_AGENTS (${absentProxyAgents.join(', ')}) is connected, so ${counted(tasks, 'task')} with proxies cannot start. Start one, or change PROXY_AGENTS.`

const refused = (tasks: number) =>
  `The map site refuses ${counted(tasks, 'waiting task')} for now. They continue after the pause of an address, or at once with other proxies.`

function unclaimed(tasks: number, nats: SystemState['nats']): string {
  const start = `No agent claims ${counted(tasks, 'released task')} although slots are free:`
  const listening = 'listening' in nats && nats.listening > 0
  if (!listening) return `${start} no agent listens on this NATS. Do agents have the same NATS_URL as the coordinators?`
  return `${start} do agents reach the coordinators at COORDINATOR_GRPC? Their logs say why a claim fails.`
}
