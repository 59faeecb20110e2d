import type {
  OutcomeCounts as CountsMessage,
  Snoozed,
  TaskEvent,
  WebsiteVisits as VisitsMessage,
} from '@placefleet/proto/fleet'
import type { Place as PlaceMessage } from '@placefleet/proto/place'
import type { Logger } from '@placefleet/shared/log'
import { FailureCode, OUTCOMES, OutcomeCounts } from '@placefleet/shared/outcome'
import { PlaceReference } from '@placefleet/shared/place'
import { MAX_EVENT } from '@placefleet/shared/protocol'
import { noWebsiteVisits, WebsiteVisits } from '@placefleet/shared/website-visits'
import { costWith } from '../billing/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import type { AcceptedPlace, AppendedPlaces, ResultAppender } from '../results/append.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import type { References } from '../tasks/plan.ts'
import { acceptPlaces } from './accept-place.ts'
import type { AgentActivity, AgentRegistry } from './agents.ts'
import { ContractViolation, printable } from './call.ts'

export type IngestDeps = {
  log: Logger
  engine: JobEngine
  leases: Leases
  references: References
  results: ResultAppender
  activity: AgentActivity
  agents: Pick<AgentRegistry, 'hostOf' | 'hosts' | 'ids'>
}

/** A task that an agent runs: its lease, its job, and when the database last confirmed the lease. */
export type RunningTask = {
  readonly lease: Lease
  readonly job: JobDocument
  confirmed: Moment
  /** The last event whose finds are stored, and which the task does not show yet. The agent waits for its acknowledgement. */
  unrecorded?: { sequence: number; counted: Partial<OutcomeCounts> } | undefined
}

/** A moment by two clocks: one that is never set, and one that goes on while the host sleeps. */
export type Moment = { monotonicMs: number; wallMs: number }

export const momentNow = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() })

export const NEVER: Moment = { monotonicMs: -Infinity, wallMs: 0 }

/** A lease lasts 15 s from its renewal, so nobody else holds it within this time of a confirmation. */
const CONFIRMED_MS = 5_000

/** What one task may count of one outcome. Higher counts of an agent are ignored. */
const MAX_COUNT = 100_000

/** An exit rests a day at most, or as long as the site says. */
const MAX_SNOOZE_SECONDS = 7 * 24 * 3_600

type Body = NonNullable<TaskEvent['body']>

/** What follows an event: the next one, the end of the task, or the loss of the right to send more. */
export type Ingested = 'next' | 'over' | 'lost'

/**
 * Makes one event durable, but for its number and its counts: `task.unrecorded` holds those until `recordEvent`, or until
 * the end of the task records them with itself. Places and references are validated, filtered and capped here.
 * @throws ContractViolation when the event breaks the contract.
 */
export async function ingest(deps: IngestDeps, task: RunningTask, event: TaskEvent): Promise<Ingested> {
  const { body } = event
  if (!body) throw new ContractViolation('an event without a body')
  const sequence = Number(event.sequence)
  switch (body.$case) {
    case 'references':
      return ingestReferences(deps, task, sequence, body.value.references)
    case 'places':
      return ingestPlaces(deps, task, sequence, body.value.places)
    default:
      return endTask(deps, task, body)
  }
}

/** Records the last stored event at its task, if it is not recorded yet. Renews the lease. False: it is lost. */
export async function recordEvent({ leases }: Pick<IngestDeps, 'leases'>, task: RunningTask): Promise<boolean> {
  const { unrecorded } = task
  if (!unrecorded) return true
  task.unrecorded = undefined
  return confirmed(task, (lease) => leases.acknowledge(lease, unrecorded.sequence, unrecorded.counted))
}

/** Renews a lease unless it was confirmed a moment ago. False: the lease is lost. */
export async function keepLease({ leases }: Pick<IngestDeps, 'leases'>, task: RunningTask, withinMs: number) {
  const { monotonicMs, wallMs } = task.confirmed
  const age = Math.max(performance.now() - monotonicMs, Date.now() - wallMs)
  if (age >= 0 && age < withinMs) return true
  return confirmed(task, (lease) => leases.renew(lease))
}

/** Runs a write that succeeds only under the lease, and notes when. False: the lease is lost. */
async function confirmed(task: RunningTask, write: (lease: Lease) => Promise<boolean>): Promise<boolean> {
  const before = momentNow()
  if (!(await write(task.lease))) return false
  task.confirmed = before
  return true
}

async function ingestReferences(
  deps: IngestDeps,
  task: RunningTask,
  sequence: number,
  messages: unknown[],
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.references) throw new ContractViolation('an event with too many references')
  if (!(await keepLease(deps, task, CONFIRMED_MS))) return 'lost'
  const parsed = messages.map((message) => PlaceReference.safeParse(message))
  const references = parsed.flatMap((reference) => (reference.success ? [reference.data] : []))
  const { known, refused } = await deps.references.add(task.job._id, references)
  const counted = { duplicate: known, broken: messages.length - references.length, limited: refused }
  task.unrecorded = { sequence, counted }
  deps.engine.placesListed(task.job._id)
  return 'next'
}

async function ingestPlaces(
  deps: IngestDeps,
  task: RunningTask,
  sequence: number,
  messages: PlaceMessage[],
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.places) throw new ContractViolation('an event with too many places')
  // Nothing is stored without a confirmed lease, so no other attempt can be granted meanwhile.
  if (!(await keepLease(deps, task, CONFIRMED_MS))) return 'lost'
  const { lease, job } = task
  const { accepted, rejected } = acceptPlaces(deps.log, lease, job.data, messages)
  const { stored, duplicates, totals, end } = await store(deps, lease, job, accepted)
  task.unrecorded = { sequence, counted: { ...rejected, duplicate: rejected.duplicate + duplicates } }
  deps.activity.count(lease.agent_id, { stored, ended: messages.length, blocked: 0 })
  deps.log.debug({ job_id: job._id, task_id: lease.task_id, stored }, 'places stored')
  if (!end) return 'next'
  await recordEvent(deps, task)
  await deps.engine.resultsEnded(job._id, totals, end === 'spent')
  return 'lost'
}

function store(deps: IngestDeps, lease: Lease, job: JobDocument, places: AcceptedPlace[]): Promise<AppendedPlaces> {
  const { user_id, _id: job_id, data, held } = job
  const affordable = (totals: JobDocument['totals']) => costWith(job, totals) <= held
  return deps.results.append({ ...lease, user_id, job_id, max_results: data.max_results, affordable }, places)
}

async function endTask(deps: IngestDeps, task: RunningTask, body: Body): Promise<Ingested> {
  const { lease, job } = task
  // The usual end records the last places with itself. The others are rare.
  if (body.$case !== 'finished' && !(await recordEvent(deps, task))) return 'lost'
  const ended = body.$case === 'snoozed' ? await snooze(deps, lease, job, body.value) : await endOf(deps, task, body)
  if (body.$case === 'finished') deps.engine.taskEnded(job._id)
  else deps.engine.taskReturned(job._id)
  return ended ? 'over' : 'lost'
}

function endOf({ leases, activity }: IngestDeps, { lease, unrecorded }: RunningTask, body: Body): Promise<boolean> {
  switch (body.$case) {
    case 'finished': {
      const counted = countsOf(body.value.outcomes)
      activity.count(lease.agent_id, doneIn(counted))
      return leases.complete(lease, sumOf(counted, unrecorded?.counted), visitsOf(body.value.website_visits))
    }
    case 'failed': {
      const counted = countsOf(body.value.outcomes)
      const code = FailureCode.safeParse(body.value.code).data ?? 'source_unavailable'
      activity.count(lease.agent_id, doneIn(counted))
      const failure = { code, message: printable(body.value.message) }
      return leases.fail(lease, failure, counted, visitsOf(body.value.website_visits))
    }
    case 'handed_back':
      return leases.handBack(lease)
    default:
      throw new ContractViolation(`an event with the body ${body.$case} where a task ends`)
  }
}

/** Whom the site refuses, and who may go on at once: another host has another address, unless the job goes out by proxies. */
async function refusedAndOthers(
  { agents }: IngestDeps,
  { agent_id }: Lease,
  { proxy_count }: JobDocument,
  wantsBrowser: boolean,
): Promise<{ host: string; others: string[] }> {
  if (wantsBrowser) return { host: agent_id, others: (await agents.ids()).filter((id) => id !== agent_id) }
  const host = (await agents.hostOf(agent_id)) ?? agent_id
  return { host, others: proxy_count > 0 ? [] : (await agents.hosts()).filter((other) => other !== host) }
}

/** The job is looked at right after a snooze that is not longer than this. The sweepers, seconds late, see to others. */
const SHORT_SNOOZE_SECONDS = 60

async function snooze(
  deps: IngestDeps,
  lease: Lease,
  job: JobDocument,
  { seconds, outcomes, website_visits, wants_browser }: Snoozed,
): Promise<boolean> {
  if (!(seconds > 0 && seconds <= MAX_SNOOZE_SECONDS))
    throw new ContractViolation('a snooze that is not between 0 and 7 days')
  const { leases, activity, log } = deps
  const { host, others } = await refusedAndOthers(deps, lease, job, wants_browser)
  const counted = countsOf(outcomes)
  activity.count(lease.agent_id, doneIn(counted))
  log.info({ job_id: job._id, task_id: lease.task_id, seconds }, 'the map site refuses an agent; its task waits')
  const snoozed = await leases.snooze(lease, { seconds, host, others }, counted, visitsOf(website_visits))
  // Only now, since the database counts the seconds from when it stores them: an earlier look would find the task asleep.
  if (seconds <= SHORT_SNOOZE_SECONDS) setTimeout(() => deps.engine.taskReturned(job._id), seconds * 1_000).unref()
  return snoozed
}

function countsOf(message: CountsMessage | undefined): Partial<OutcomeCounts> {
  const counts: Partial<OutcomeCounts> = OutcomeCounts.safeParse({ ok: 0, ...message }).data ?? {}
  return Object.values(counts).every((count) => count <= MAX_COUNT) ? counts : {}
}

function visitsOf(message: VisitsMessage | undefined): WebsiteVisits {
  const visits = WebsiteVisits.safeParse(message ?? noWebsiteVisits()).data ?? noWebsiteVisits()
  return Object.values(visits).every((count) => count <= MAX_COUNT) ? visits : noWebsiteVisits()
}

const sumOf = (one: Partial<OutcomeCounts>, other: Partial<OutcomeCounts> = {}): Partial<OutcomeCounts> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, (one[outcome] ?? 0) + (other[outcome] ?? 0)]))

const doneIn = (counted: Partial<OutcomeCounts>) => ({
  stored: 0,
  ended: OUTCOMES.reduce((sum, outcome) => sum + (counted[outcome] ?? 0), 0),
  blocked: counted.blocked ?? 0,
})
