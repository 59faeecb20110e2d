import { counted, span } from '../table.ts'
import type { Facts, QueueFacts, StoredFacts, Unanswered } from './facts.ts'

/** One thing that was looked at. */
export type Check = { name: string; ok: boolean; detail: string }

/** What was found, and in plain words why work is idle, if it is. */
export type Diagnosis = { healthy: boolean; checks: Check[]; advice: string[] }

/** Coordinators sweep every 5 s: longer without is no coordinator. */
const UNSWEPT_SECONDS = 30

/** What the facts mean. */
export function diagnose({ mongodb, nats }: Facts): Diagnosis {
  const checks = [
    'down' in mongodb ? failed('MongoDB', mongodb) : passed('MongoDB', 'answers'),
    'down' in nats ? failed('NATS', nats) : passed('NATS', queueInWords(nats)),
    ...('down' in mongodb ? [] : storedChecks(mongodb, nats)),
  ]
  const advice = 'down' in mongodb ? ['Nothing can work without MongoDB: start it first.'] : whyIdle(mongodb, nats)
  return { healthy: checks.every(({ ok }) => ok), checks, advice }
}

const passed = (name: string, detail: string): Check => ({ name, ok: true, detail })
const failed = (name: string, { down }: Unanswered): Check => ({ name, ok: false, detail: down })

const queueInWords = ({ messages, listening }: QueueFacts) =>
  `answers; ${counted(messages, 'message')} not taken, ${counted(listening, 'agent slot')} waiting for one`

function storedChecks({ fleet, jobs, tasks }: StoredFacts, nats: Facts['nats']): Check[] {
  const { connected, draining, silent, slots, busy } = fleet
  const { oldest } = jobs
  const needed = oldest !== undefined
  const found = oldest ? `the oldest is ${oldest.status} since ${span(oldest.age)} (${oldest.job_id})` : 'none'
  return [
    {
      name: 'coordinator',
      ok: !unswept({ jobs }),
      detail: jobs.swept === undefined ? 'not seen at work' : `at work ${span(jobs.swept)} ago`,
    },
    {
      name: 'agents',
      ok: connected > 0 || !needed,
      detail: `${connected} connected with ${busy} of ${slots} slots busy; ${draining} draining, ${silent} silent`,
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

const unswept = ({ jobs: { oldest, swept } }: Pick<StoredFacts, 'jobs'>): boolean =>
  oldest !== undefined && (swept ?? oldest.age) > UNSWEPT_SECONDS

/** The first reason that holds names the cause; the later ones would only be its consequences. */
function whyIdle({ fleet, jobs, tasks }: StoredFacts, nats: Facts['nats']): string[] {
  const late =
    jobs.late > 0
      ? [`${counted(jobs.late, 'job')} should have ended by max_time: look with jobs list --status running.`]
      : []
  if (!jobs.oldest) return ['There is nothing to do: no job is pending or running.']
  const free = fleet.slots - fleet.busy
  const reasons: [holds: boolean, advice: string][] = [
    ['down' in nats, 'Agents hear of no new task while NATS is down. No job is lost: work goes on when it answers.'],
    [unswept({ jobs }), 'No coordinator moves the jobs along: start one on this MongoDB and NATS.'],
    [fleet.connected === 0, noAgents(fleet)],
    [free <= 0, `All ${fleet.slots} slots are busy, the rest waits its turn. Start more agents to go faster.`],
    [tasks.unclaimed > 0, unclaimed(tasks.unclaimed, nats)],
  ]
  const reason = reasons.find(([holds]) => holds)?.[1]
  return [...late, reason ?? 'Work is going on.']
}

function noAgents({ draining, silent }: StoredFacts['fleet']): string {
  if (draining > 0)
    return `${counted(draining, 'agent')} connected, only to finish what they have. Start one that takes new tasks.`
  if (silent > 0) return `Nothing is heard of ${counted(silent, 'agent')}: frozen, or cut off from the coordinators?`
  return 'No agent is connected: start one, with COORDINATOR_GRPC, NATS_URL and AGENT_TOKEN as the coordinators have them.'
}

function unclaimed(tasks: number, nats: Facts['nats']): string {
  const start = `Nobody takes ${counted(tasks, 'released task')} though slots are free:`
  const listening = 'listening' in nats && nats.listening > 0
  if (!listening) return `${start} no agent listens on this NATS. Do agents have the same NATS_URL as the coordinators?`
  return `${start} do agents reach the coordinators at COORDINATOR_GRPC? Their logs say why a claim fails.`
}
