import { z } from 'zod'

/** Returns a count with its noun: `1 job`, `2 jobs`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Returns a duration in its largest unit. */
export function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
}

type Values = Record<string, string>

const times = (count: string | undefined, what: string): string => counted(Number(count), what)
const lasting = (seconds: string | undefined): string => span(Number(seconds))

const KNOWN_BY: Record<string, string> = {
  name: ', by their EXIT_NAME',
  address: ', seen from one address',
  forwarded: ', by the address that a trusted proxy names',
  network: ', seen from private addresses',
}

/** What the doctor finds, in English. The console has the same in its other languages. */
const SENTENCES = {
  mongodb_works: () => 'answers and accepts writes',
  mongodb_rejects_writes: (v: Values) => `answers, but rejects writes: ${v.message}`,
  nats_works: (v: Values) =>
    `answers; ${times(v.messages, 'message')} queued, ${times(v.listening, 'agent slot')} waiting for a task`,
  nats_without_stream: () =>
    'answers, but has no stream of tasks. Is it the NATS_URL of the coordinators? Then their logs say why they ' +
    'cannot create the stream; NATS_REPLICAS may be more than its servers.',
  coordinators: (v: Values) => `${v.coordinators} at work`,
  no_active_job: () => 'no active job',
  last_sweep: (v: Values) => `last sweep ${lasting(v.age)} ago`,
  agents: (v: Values) => `${v.connected} connected with ${v.busy} of ${v.slots} slots busy`,
  no_agent_connected: () => 'no agent is connected',
  jobs_wait: () => 'jobs wait',
  other_agents: (v: Values) => `${v.draining} draining, ${v.silent} silent`,
  addresses: (v: Values) => `${v.known} known, ${v.paused} paused`,
  address_paused: (v: Values) => `${v.address} is paused (${v.reason}) until ${v.until}`,
  address_shared: (v: Values) =>
    `${times(v.agents, 'agent')} share ${v.address}${KNOWN_BY[v.known_by ?? ''] ?? ''}: ${v.names}` +
    (Number(v.more) > 0 ? ` and ${v.more} more` : ''),
  chromium_unknown: () => 'no agent to ask',
  chromium_works: () => 'no connected agent reports a problem',
  chromium_fails: (v: Values) =>
    `${v.failing} of ${times(v.connected, 'agent')} cannot start it; ${v.agent}: ${v.message}`,
  jobs: (v: Values) => `${v.pending} pending, ${v.running} running, ${v.aborting} aborting`,
  oldest_job: (v: Values) => `the oldest has been ${v.status} for ${lasting(v.age)} (${v.job_id})`,
  tasks: (v: Values) =>
    `${v.waiting} waiting, ${v.released} released (${v.unclaimed} unclaimed for long), ${v.running} running`,
  clocks_agree: () => 'the clock of this host agrees with that of the database',
  clock_ahead: (v: Values) => `the clock of this host is ${lasting(v.by)} ahead of that of the database`,
  clock_behind: (v: Values) => `the clock of this host is ${lasting(v.by)} behind that of the database`,
  no_failed_tasks: () => 'no task failed in the last hour',
  failed_tasks: (v: Values) => `${times(v.tasks, 'task')} failed in the last hour`,
  last_failure: (v: Values) => `the last one ${lasting(v.age)} ago`,

  database_disk_full: (v: Values) => `${v.message}`,
  start_mongodb: () =>
    'Nothing works without MongoDB. Start it first; a replica set elects a primary once most of its members run.',
  make_mongodb_writable: () =>
    'MongoDB rejects writes, so no job can progress. Free space on its disk, or make it writable.',
  late_jobs: (v: Values) =>
    `${times(v.jobs, 'job')} should have ended by max_time. List them with: jobs list --status running.`,
  nothing_to_do: () => 'Nothing to do: no job is pending or running.',
  work_in_progress: () => 'Work is in progress.',
  nats_down: () => 'Agents get no new tasks while NATS is down. No job is lost: work resumes when NATS answers.',
  start_coordinator: () => 'No coordinator is running. Start one on this MongoDB and NATS.',
  agents_drain: (v: Values) =>
    `${times(v.agents, 'agent')} draining. Resume one (agents resume <name>), or start another.`,
  agents_silent: (v: Values) => `${times(v.agents, 'agent')} silent: frozen, or unable to reach the coordinators?`,
  start_agent: () =>
    'No agent is connected. Start one with the COORDINATOR_GRPC, NATS_URL and AGENT_TOKEN of the coordinators.',
  slots_busy: (v: Values) => `All ${v.slots} slots are busy and the other tasks wait. Start more agents to go faster.`,
  proxy_agents_absent: (v: Values) =>
    `No agent of PROXY_AGENTS (${v.agents}) is connected, so ${times(v.tasks, 'task')} with proxies cannot start. ` +
    'Start one, or change PROXY_AGENTS.',
  agents_listen_elsewhere: (v: Values) =>
    `No agent claims ${times(v.tasks, 'released task')} although slots are free: no agent listens on this NATS. ` +
    'Do agents have the same NATS_URL as the coordinators?',
  claims_fail: (v: Values) =>
    `No agent claims ${times(v.tasks, 'released task')} although slots are free: do agents reach the coordinators ` +
    'at COORDINATOR_GRPC? Their logs say why a claim fails.',
  map_site_refuses: (v: Values) =>
    `The map site refuses ${times(v.tasks, 'waiting task')} for now. They continue after the pause of an address, ` +
    'or at once with other proxies.',
  own_addresses_paused: () =>
    'Every own address of the agents is paused. Jobs without proxies wait until then; agents at other addresses, or ' +
    'proxies, go on.',
  private_addresses_count_as_one: () =>
    'All private addresses of agents count as one and share its pace. If they reach the map site from different ' +
    'public addresses, give each its EXIT_NAME.',
  chromium_missing: (v: Values) =>
    `${times(v.agents, 'agent')} cannot start Chromium. Jobs that need it fail, or lack parts of places.`,
  tasks_failed: (v: Values) =>
    `${times(v.tasks, 'task')} failed in the last hour, the last one${v.agent ? ` on agent ${v.agent}` : ''}: ` +
    `${v.reason}: ${v.detail}`,
  set_clocks: () => 'Let NTP set the clocks of this host and of MongoDB: shown times and checked dates are wrong now.',
}

type FindingId = keyof typeof SENTENCES

const isFindingId = (id: string): id is FindingId => id in SENTENCES

export const Finding = z
  .object({
    id: z.enum(Object.keys(SENTENCES).filter(isFindingId)).describe('what was found'),
    values: z.record(z.string(), z.string()).describe('the names and numbers of its sentence, as text'),
  })
  .meta({
    id: 'Finding',
    description: 'A part of a check, or an advice, for programs that say it in another language.',
    examples: [{ id: 'agents_silent', values: { agents: '2' } }],
  })
export type Finding = z.infer<typeof Finding>

export const finding = (id: FindingId, values: Record<string, string | number> = {}): Finding => ({
  id,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
})

/** Says a finding in English. */
export const inEnglish = ({ id, values }: Finding): string => SENTENCES[id](values)

export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  warning: z.boolean().optional().describe('true when it works, but an operator should look'),
  detail: z.string(),
  findings: z
    .array(Finding)
    .optional()
    .describe('the parts of `detail`, for programs; absent when `detail` has the words of a server'),
})
export type Check = z.infer<typeof Check>

/** Returns a check with its findings. Unless `state` says otherwise, it is passed. */
export const found = (
  name: string,
  findings: Finding[],
  { ok = true, ...state }: { ok?: boolean; warning?: boolean } = {},
): Check => ({ name, ok, detail: findings.map(inEnglish).join('; '), ...state, findings })
