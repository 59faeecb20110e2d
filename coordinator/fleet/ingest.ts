import type { OutcomeCounts as CountsMessage, TaskEvent, WebsiteVisits as VisitsMessage } from '@placefleet/proto/fleet'
import type { Place as PlaceMessage } from '@placefleet/proto/place'
import type { Logger } from '@placefleet/shared/log'
import { FailureCode, OUTCOMES, OutcomeCounts } from '@placefleet/shared/outcome'
import { type Place, PlaceReference } from '@placefleet/shared/place'
import { placeFromMessage } from '@placefleet/shared/place-message'
import { MAX_EVENT } from '@placefleet/shared/protocol'
import { rejectionReason } from '@placefleet/shared/rejection-reason'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { noWebsiteVisits, WebsiteVisits } from '@placefleet/shared/website-visits'
import { costWith } from '../jobs/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import { areaOf } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import type { JobStore } from '../jobs/store.ts'
import type { AcceptedPlace, AppendedPlaces, ResultAppender } from '../results/append.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import type { References } from '../tasks/references.ts'
import { capToJob } from './accept-place.ts'
import type { AgentActivity } from './activity.ts'
import { ContractViolation, printable } from './contract.ts'

export type IngestDeps = {
  log: Logger
  jobs: JobStore
  engine: JobEngine
  leases: Leases
  references: References
  results: ResultAppender
  activity: AgentActivity
}

/** Places that a job's searches list at most: five times what the deepest search of five keywords can. */
const MAX_REFERENCES = 10_000

/** What one task may count of one outcome; an agent that says more is not believed. */
const MAX_COUNT = 100_000

type Body = NonNullable<TaskEvent['body']>

/** What an event leads to: the next one, the end of the task, or the loss of the right to send any more. */
export type Ingested = 'next' | 'over' | 'lost'

/**
 * Makes one event durable. An agent is trusted no more than a user: places and references are validated, filtered and
 * capped here, whatever the agent did.
 * @throws ContractViolation when the event is none of the contract's.
 */
export async function ingest(deps: IngestDeps, lease: Lease, job: JobDocument, event: TaskEvent): Promise<Ingested> {
  const { body } = event
  if (!body) throw new ContractViolation('an event without a body')
  // The lease is renewed before anything is stored, so no other attempt can be granted while it is.
  if (!(await deps.leases.renew(lease))) return 'lost'
  const sequence = Number(event.sequence)
  switch (body.$case) {
    case 'references':
      return ingestReferences(deps, lease, job, sequence, body.value.references)
    case 'places':
      return ingestPlaces(deps, lease, job, sequence, body.value.places)
    default:
      return endTask(deps, lease, job, body)
  }
}

async function ingestReferences(
  deps: IngestDeps,
  lease: Lease,
  job: JobDocument,
  sequence: number,
  messages: unknown[],
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.references) throw new ContractViolation('an event with too many references')
  const parsed = messages.map((message) => PlaceReference.safeParse(message))
  const references = parsed.flatMap((reference) => (reference.success ? [reference.data] : []))
  const room = Math.max(0, MAX_REFERENCES - (await deps.references.count(job._id)))
  const { known } = await deps.references.add(job._id, references.slice(0, room))
  const counted = { duplicate: known, broken: messages.length - references.length }
  if (!(await deps.leases.acknowledge(lease, sequence, counted))) return 'lost'
  await deps.engine.reconcile(job._id)
  return 'next'
}

async function ingestPlaces(
  deps: IngestDeps,
  lease: Lease,
  job: JobDocument,
  sequence: number,
  messages: PlaceMessage[],
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.places) throw new ContractViolation('an event with too many places')
  const valid = messages.flatMap((message) => validPlace(deps.log, lease, message))
  const named = distinct(valid).map((place) => placeFor(job, place))
  const wanted = { ...areaOf(job.data), website_filter: job.data.website_filter }
  const judged = Object.groupBy(
    named,
    ({ place, web_presence }) => rejectionReason(place, wanted, web_presence) ?? 'wanted',
  )
  const { stored, duplicates, totals, end } = await store(deps, lease, job, judged.wanted ?? [])
  await deps.jobs.raiseTotals(job._id, totals, end === 'spent')
  const counted = {
    duplicate: duplicates + valid.length - named.length,
    broken: messages.length - valid.length,
    filtered: judged.filtered?.length ?? 0,
    out_of_area: judged.out_of_area?.length ?? 0,
  }
  const acknowledged = await deps.leases.acknowledge(lease, sequence, counted)
  deps.activity.count(lease.agent_id, { stored, ended: messages.length, blocked: 0 })
  if (end) await deps.engine.reconcile(job._id)
  deps.log.debug({ job_id: job._id, task_id: lease.task_id, stored }, 'places stored')
  return acknowledged && !end ? 'next' : 'lost'
}

function store(deps: IngestDeps, lease: Lease, job: JobDocument, places: AcceptedPlace[]): Promise<AppendedPlaces> {
  const { user_id, _id: job_id, data, held } = job
  const affordable = (totals: JobDocument['totals']) => costWith(job, totals) <= held
  return deps.results.append({ ...lease, user_id, job_id, max_results: data.max_results, affordable }, places)
}

async function endTask(deps: IngestDeps, lease: Lease, job: JobDocument, body: Body): Promise<Ingested> {
  const ended = await endOf(deps, lease, body)
  await deps.engine.reconcile(job._id)
  return ended ? 'over' : 'lost'
}

function endOf({ leases, activity }: IngestDeps, lease: Lease, body: Body): Promise<boolean> {
  switch (body.$case) {
    case 'finished': {
      const counted = countsOf(body.value.outcomes)
      activity.count(lease.agent_id, doneIn(counted))
      return leases.complete(lease, counted, visitsOf(body.value.website_visits))
    }
    case 'failed': {
      const counted = countsOf(body.value.outcomes)
      const code = FailureCode.safeParse(body.value.code).data ?? 'source_unavailable'
      activity.count(lease.agent_id, doneIn(counted))
      return leases.fail(
        lease,
        { code, message: printable(body.value.message) },
        counted,
        visitsOf(body.value.website_visits),
      )
    }
    case 'handed_back':
      return leases.handBack(lease)
    default:
      throw new ContractViolation(`an event with the body ${body.$case} where a task ends`)
  }
}

function countsOf(message: CountsMessage | undefined): Partial<OutcomeCounts> {
  const counts: Partial<OutcomeCounts> = OutcomeCounts.safeParse({ ok: 0, ...message }).data ?? {}
  return Object.values(counts).every((count) => count <= MAX_COUNT) ? counts : {}
}

function visitsOf(message: VisitsMessage | undefined): WebsiteVisits {
  const visits = WebsiteVisits.safeParse(message ?? noWebsiteVisits()).data ?? noWebsiteVisits()
  return Object.values(visits).every((count) => count <= MAX_COUNT) ? visits : noWebsiteVisits()
}

const doneIn = (counted: Partial<OutcomeCounts>) => ({
  stored: 0,
  ended: OUTCOMES.reduce((sum, outcome) => sum + (counted[outcome] ?? 0), 0),
  blocked: counted.blocked ?? 0,
})

function validPlace(log: Logger, lease: Lease, message: PlaceMessage): Place[] {
  try {
    return [placeFromMessage(message)]
  } catch (error) {
    log.warn({ err: error, ...lease }, 'an agent sent a place that is not valid; it was dropped')
    return []
  }
}

/** A place as the job would store it; a website behind a wrapper as what it leads to (web-presence, "Procedure"). */
function placeFor({ data }: JobDocument, place: Place): AcceptedPlace {
  const { tier, unwrapped } = classifyWebsite(place.website)
  const listed = unwrapped === undefined ? place : { ...place, website: unwrapped }
  return { place_key: place.place_key, place: capToJob(listed, data), web_presence: tier }
}

const distinct = (places: Place[]): Place[] => [...new Map(places.map((place) => [place.place_key, place])).values()]
