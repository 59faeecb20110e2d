import { z } from 'zod'
import type { Facts, QueueFacts, StoredFacts, Unanswered } from './facts.ts'

/** One check. */
const Check = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })
export type Check = z.infer<typeof Check>

/** The checks, and advice on why work is idle. */
export const Diagnosis = z
  .object({
    healthy: z.boolean(),
    checks: z.array(Check),
    advice: z.array(z.string()).describe('why work is idle, if it is, and what to do'),
  })
  .meta({
    id: 'Diagnosis',
    description: 'Whether the deployment works, and why not.',
    examples: [
      {
        healthy: false,
        checks: [{ name: 'agents', ok: false, detail: '0 connected with 0 of 0 slots busy; 0 draining, 0 silent' }],
        advice: ['No agent is connected: start one.'],
      },
    ],
  })
export type Diagnosis = z.infer<typeof Diagnosis>

/** Coordinators sweep every 5 s. Without a sweep for this long, none is running. */
const UNSWEPT_SECONDS = 30

/** Interprets the facts. */
export function diagnose({ mongodb, nats: queue }: Facts): Diagnosis {
  const nats = lacksStream(mongodb, queue) ? NO_STREAM : queue
  const checks = [
    'down' in mongodb ? failed('MongoDB', mongodb) : writesCheck(mongodb),
    'down' in nats ? failed('NATS', nats) : passed('NATS', queueInWords(nats)),
    ...('down' in mongodb ? [] : storedChecks(mongodb, nats)),
  ]
  const advice = 'down' in mongodb ? [mongodb.fullDisk ?? NO_DATABASE] : whyIdle(mongodb, nats)
  return { healthy: checks.every(({ ok }) => ok), checks, advice }
}

const NO_DATABASE =
  'Nothing works without MongoDB. Start it first; a replica set elects a primary once most of its members run.'

const NO_STREAM: Unanswered = {
  down:
    'answers, but has no stream of tasks. Is it the NATS_URL of the coordinators? Then their logs say why they cannot ' +
    'create the stream; NATS_REPLICAS may be more than its servers.',
}

/** Whether the stream is missing although a running coordinator would have created it within 5 s. */
const lacksStream = (mongodb: Facts['mongodb'], nats: Facts['nats']): boolean =>
  'missing' in nats && 'coordinators' in mongodb && mongodb.coordinators > 0 && mongodb.tasks.unclaimed > 0

const passed = (name: string, detail: string): Check => ({ name, ok: true, detail })
const failed = (name: string, { down }: Unanswered): Check => ({ name, ok: false, detail: down })

const queueInWords = ({ messages, listening }: QueueFacts) =>
  `answers; ${counted(messages, 'message')} queued, ${counted(listening, 'agent slot')} waiting for a task`

const writesCheck = ({ writeFailure }: StoredFacts): Check =>
  writeFailure === undefined
    ? passed('MongoDB', 'answers and accepts writes')
    : failed('MongoDB', { down: `answers, but rejects writes: ${writeFailure}` })

function storedChecks({ coordinators, fleet, jobs, tasks }: StoredFacts, nats: Facts['nats']): Check[] {
  const { connected, draining, silent, slots, busy } = fleet
  const { oldest } = jobs
  const needed = oldest !== undefined
  const found = oldest ? `the oldest has been ${oldest.status} for ${span(oldest.age)} (${oldest.job_id})` : 'none'
  return [
    {
      name: 'coordinator',
      ok: !unswept({ jobs }) && coordinators > 0,
      detail: `${coordinators} at work; ${jobs.swept === undefined ? 'no active job swept yet' : `last sweep ${span(jobs.swept)} ago`}`,
    },
    {
      name: 'agents',
      ok: connected > 0 || !needed,
      detail: `${connected} connected with ${busy} of ${slots} slots busy; ${draining} draining, ${silent} silent${restingInWords(fleet)}`,
    },
    {
      name: 'jobs',
      ok: jobs.late === 0,
      detail: `${jobs.pending} pending, ${jobs.running} running, ${jobs.aborting} aborting; ${found}`,
    },
    {
      name: 'tasks',
      ok: tasks.unclaimed === 0 || busy >= slots || 'down' in nats,
      detail: `${tasks.waiting} waiting, ${tasks.released} released (${tasks.unclaimed} unclaimed for long), ${tasks.running} running`,
    },
  ]
}

function restingInWords({ resting }: StoredFacts['fleet']): string {
  const reasons = Object.entries(resting).map(([reason, count]) => `${count} ${reason}`)
  return reasons.length === 0 ? '' : `; exits resting: ${reasons.join(', ')}`
}

const unswept = ({ jobs: { oldest, swept } }: Pick<StoredFacts, 'jobs'>): boolean =>
  oldest !== undefined && (swept ?? oldest.age) > UNSWEPT_SECONDS

/** Reports the first reason that applies: the later ones are its consequences. */
function whyIdle({ coordinators, fleet, jobs, tasks, writeFailure }: StoredFacts, nats: Facts['nats']): string[] {
  const late =
    jobs.late > 0
      ? [`${counted(jobs.late, 'job')} should have ended by max_time. List them with: jobs list --status running.`]
      : []
  if (writeFailure !== undefined)
    return ['MongoDB rejects writes, so no job can progress. Free space on its disk, or make it writable.']
  if (!jobs.oldest && coordinators > 0) return ['Nothing to do: no job is pending or running.']
  const free = fleet.slots - fleet.busy
  const reasons: [holds: boolean, advice: string][] = [
    ['down' in nats, 'Agents get no new tasks while NATS is down. No job is lost: work resumes when NATS answers.'],
    [coordinators === 0 || unswept({ jobs }), 'No coordinator is running. Start one on this MongoDB and NATS.'],
    [fleet.connected === 0, noAgents(fleet)],
    [free <= 0, `All ${fleet.slots} slots are busy and the other tasks wait. Start more agents to go faster.`],
    [tasks.unclaimed > 0, unclaimed(tasks.unclaimed, nats)],
    [tasks.refused > 0 && tasks.running === 0, refused(tasks.refused)],
  ]
  const reason = reasons.find(([holds]) => holds)?.[1]
  return [...late, reason ?? 'Work is in progress.']
}

function noAgents({ draining, silent }: StoredFacts['fleet']): string {
  if (draining > 0)
    return `${counted(draining, 'agent')} draining. Resume one (agents resume <name>), or start another.`
  if (silent > 0) return `${counted(silent, 'agent')} silent: frozen, or unable to reach the coordinators?`
  return 'No agent is connected. Start one with the COORDINATOR_GRPC, NATS_URL and AGENT_TOKEN of the coordinators.'
}

const refused = (tasks: number) =>
  `The map site refuses ${counted(tasks, 'waiting task')} for now. They continue when an exit has rested, or at once with other proxies.`

function unclaimed(tasks: number, nats: Facts['nats']): string {
  const start = `No agent claims ${counted(tasks, 'released task')} although slots are free:`
  const listening = 'listening' in nats && nats.listening > 0
  if (!listening) return `${start} no agent listens on this NATS. Do agents have the same NATS_URL as the coordinators?`
  return `${start} do agents reach the coordinators at COORDINATOR_GRPC? Their logs say why a claim fails.`
}

/** Returns a count with its noun: `1 job`, `2 jobs`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Returns a duration in its largest unit. */
export function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
}
