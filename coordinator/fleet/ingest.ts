import type { FoundPlaces, TaskEvent } from '@placefleet/proto/fleet'
import { centreOf } from '@placefleet/shared/area/area'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import { LIMITED_PARTS, type Place, PlaceReference } from '@placefleet/shared/place'
import { filterVerdict } from '@placefleet/shared/place-filter'
import { decodePlace, MAX_EVENT, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { filterOf, rejectionReason } from '@placefleet/shared/rejection-reason'
import { type ReviewOptions, wantedReviews } from '@placefleet/shared/review-options'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import { costWith } from '../billing/prices/cost.ts'
import type { CoverageStore } from '../coverage/store.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { AcceptedPlace, AppendedPlaces, ResultAppender } from '../results/append.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import { MAX_REFERENCES, MAX_REFERENCES_OF_AREA, type References } from '../tasks/plan.ts'
import type { AgentActivity } from './activity.ts'
import { ContractViolation } from './call.ts'
import { visitsOf } from './counts.ts'
import { missedInputs, type TaskInputs } from './task-inputs.ts'

export type IngestDeps = {
  log: Logger
  engine: JobEngine
  leases: Leases
  references: References
  results: ResultAppender
  known: Pick<KnownPlaces, 'among' | 'noteDropped'>
  coverage: Pick<CoverageStore, 'record' | 'isFull'>
  activity: AgentActivity
}

/** A task that an agent runs: its lease, its job, and when the database last confirmed the lease. */
export type RunningTask = {
  readonly lease: Lease
  /** The id of the agent's own exit. */
  readonly exit: string
  /** Whether its requests go through proxies. */
  readonly proxied: boolean
  readonly job: JobDocument
  readonly ordinal: number
  readonly keyword?: string | undefined
  readonly inputs: TaskInputs
  /** Undefined: the lease may be lost. */
  confirmed: Moment | undefined
  /** Cells of the attempt since those of the job were counted. Undefined: an earlier stream sent some. */
  cells: number | undefined
  /**
   * The last event whose places are stored but which is not recorded at the task. The agent waits for its
   * acknowledgement.
   */
  unrecorded?: { sequence: number; counted: Partial<OutcomeCounts>; visits?: WebsiteVisits } | undefined
}

/** A moment by two clocks: one that is never adjusted, and one that continues while the host sleeps. */
export type Moment = { monotonicMs: number; wallMs: number }

export const momentNow = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() })

/** A lease lasts 15 s after its renewal. So no other agent can hold it for this long after a confirmation. */
const CONFIRMED_MS = 5_000

/** What became of an event: `job_ended` when its job takes no more places. */
type Ingested = 'stored' | 'lease_lost' | 'job_ended'

/** An event with places or references. */
export type FoundEvent = Extract<NonNullable<TaskEvent['body']>, { $case: 'places' | 'references' }>

/** Returns whether an event contains places or references. Any other event ends its task. */
export const isFoundEvent = (body: TaskEvent['body']): body is FoundEvent =>
  body?.$case === 'places' || body?.$case === 'references'

/**
 * Validates, filters and caps the places and references of an event and stores them. The event's number and counts stay
 * in `task.unrecorded` until `recordEvent` or the end of the task writes them.
 * @throws ContractViolation when the event breaks the contract.
 */
export function ingest(deps: IngestDeps, task: RunningTask, sequence: number, event: FoundEvent): Promise<Ingested> {
  return event.$case === 'references'
    ? ingestReferences(deps, task, sequence, event.value.references)
    : ingestPlaces(deps, task, sequence, event.value)
}

/**
 * Records the last stored event at its task, unless it is recorded already. Renews the lease. Returns false when the
 * lease is lost.
 */
export async function recordEvent({ leases }: Pick<IngestDeps, 'leases'>, task: RunningTask): Promise<boolean> {
  if (!task.unrecorded) return true
  const { sequence, counted, visits } = task.unrecorded
  task.unrecorded = undefined
  return confirmed(task, (lease) => leases.acknowledge(lease, sequence, counted, visits))
}

/** Renews a lease, unless it was confirmed recently. Returns false when the lease is lost. */
export async function keepLease(
  { leases }: { leases: Pick<Leases, 'renew'> },
  task: RunningTask,
  withinMs: number,
): Promise<boolean> {
  if (task.confirmed) {
    const { monotonicMs, wallMs } = task.confirmed
    const age = Math.max(performance.now() - monotonicMs, Date.now() - wallMs)
    if (age >= 0 && age < withinMs) return true
  }
  return confirmed(task, (lease) => leases.renew(lease))
}

/** Runs a write that succeeds only under the lease, and records its time. Returns false when the lease is lost. */
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
  if (!(await keepLease(deps, task, CONFIRMED_MS))) return 'lease_lost'
  const parsed = messages.map((message) => PlaceReference.safeParse(message))
  const references = parsed.flatMap((reference) => (reference.success ? [reference.data] : []))
  const { fresh, known } = await withoutKnown(deps, task.job, references)
  const most = task.job.data.exhaust ? MAX_REFERENCES_OF_AREA : MAX_REFERENCES
  const adding = { task_id: task.lease.task_id, most }
  const { duplicates, refused } = await deps.references.add(task.job._id, fresh, adding)
  const counted = { duplicate: duplicates, known, broken: messages.length - references.length, limited: refused }
  task.unrecorded = { sequence, counted }
  deps.engine.placesListed(task.job._id)
  return 'stored'
}

async function ingestPlaces(
  deps: IngestDeps,
  task: RunningTask,
  sequence: number,
  { places: messages, website_visits }: FoundPlaces,
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.places) throw new ContractViolation('an event with too many places')
  // Nothing is stored without a confirmed lease, so no other attempt can run meanwhile.
  if (!(await keepLease(deps, task, CONFIRMED_MS))) return 'lease_lost'
  const { lease, job } = task
  const { accepted, rejected, filtered, out_of_area } = acceptPlaces(deps.log, lease, job.data, messages)
  const { fresh, known } = await withoutKnown(deps, job, accepted)
  const dropped = accepted.filter((place) => !fresh.includes(place))
  await deps.references.reportInputs(job._id, missedInputs(task, { filtered: [...filtered, ...dropped], out_of_area }))
  const { stored, duplicates, totals, end } = await store(deps, task, fresh)
  const counted = { ...rejected, ok: stored, known, duplicate: rejected.duplicate + duplicates }
  task.unrecorded = { sequence, counted, ...(website_visits && { visits: visitsOf(website_visits) }) }
  deps.activity.count(lease.agent_id, { stored, ended: messages.length, blocked: 0, refused: 0 })
  deps.log.debug({ job_id: job._id, task_id: lease.task_id, stored }, 'places stored')
  if (!end) {
    if (stored > 0 && totals.places === stored) await deps.engine.firstPlacesStored(job._id, totals)
    return 'stored'
  }
  await recordEvent(deps, task)
  await deps.engine.resultsEnded(job._id, totals, end === 'spent')
  return 'job_ended'
}

/**
 * Drops the known places of a job with `only_new` before they are collected or stored. Records the known places that the
 * job saw.
 */
async function withoutKnown<Found extends { place_key: string }>(
  { known }: IngestDeps,
  { _id, user_id, data, monitor }: JobDocument,
  found: Found[],
): Promise<{ fresh: Found[]; known: number }> {
  if (!data.only_new) return { fresh: found, known: 0 }
  // Places that the job probes are collected although they are known.
  const probes = new Set(monitor?.probes?.map(({ place_key }) => place_key))
  const keys = [...new Set(found.map(({ place_key }) => place_key))].filter((key) => !probes.has(key))
  const dropped = await known.among(user_id, keys, data.recheck_after)
  await known.noteDropped(_id, [...dropped])
  const fresh = found.filter(({ place_key }) => !dropped.has(place_key))
  return { fresh, known: found.length - fresh.length }
}

function store(
  deps: IngestDeps,
  { lease, job, inputs }: RunningTask,
  accepted: AcceptedPlace[],
): Promise<AppendedPlaces> {
  const places = accepted.map((place) => ({ ...place, input: inputs.get(place.place_key)?.input }))
  const { user_id, _id: job_id, data, held } = job
  const affordable = (totals: JobDocument['totals']) => costWith(job, totals) <= held
  return deps.results.append({ ...lease, user_id, job_id, max_results: data.max_results, affordable }, places)
}

/**
 * The places of an event that a job accepts, and the outcomes of the others. `limited`: those accepted because a filter
 * cannot judge them, which the agent does not count.
 */
type AcceptedPlaces = {
  accepted: AcceptedPlace[]
  rejected: { duplicate: number; broken: number; filtered: number; out_of_area: number; limited: number }
  filtered: AcceptedPlace[]
  out_of_area: AcceptedPlace[]
}

/** Validates, filters and cuts the places that an agent sent: agents are not trusted more than users. */
function acceptPlaces(log: Logger, lease: Lease, data: JobData, messages: Uint8Array[]): AcceptedPlaces {
  const valid = messages.flatMap((message) => validPlace(log, lease, message))
  const named = [...new Map(valid.map((place) => [place.place_key, place])).values()].map((place) =>
    placeFor(data, place),
  )
  const wanted = filterOf({ ...data, ...centreOf(data) })
  const judged = Object.groupBy(named, ({ place, web_presence }) => {
    return rejectionReason(place, wanted, web_presence) ?? 'accepted'
  })
  const { accepted: kept = [], filtered = [], out_of_area = [] } = judged
  const unjudged = new Set(kept.filter(({ place }) => filterVerdict(place, data, true) === 'unknown'))
  const rejected = {
    duplicate: valid.length - named.length,
    broken: messages.length - valid.length,
    filtered: filtered.length,
    out_of_area: out_of_area.length,
    limited: [...unjudged].filter(({ place }) => !place.limited).length,
  }
  const accepted = kept.map((place) => (unjudged.has(place) ? withoutDetails(place) : place))
  return { accepted, rejected, filtered, out_of_area }
}

/** Marks a place as one of which the map site held back details. */
function withoutDetails({ place, ...accepted }: AcceptedPlace): AcceptedPlace {
  const limited = LIMITED_PARTS.filter((part) => part === 'details' || place.limited?.includes(part))
  return { ...accepted, place: { ...place, limited } }
}

function validPlace(log: Logger, lease: Lease, message: Uint8Array): Place[] {
  try {
    if (message.length > MAX_PLACE_BYTES) throw new ContractViolation('a place that is too large')
    return [decodePlace(message)]
  } catch (error) {
    log.warn({ err: error, ...lease }, 'an agent sent an invalid place; it was dropped')
    return []
  }
}

/** Returns a place as the job stores it. A website behind a wrapper is replaced by its target. */
function placeFor(data: JobData, place: Place): AcceptedPlace {
  const { tier, unwrapped } = classifyWebsite(place.website)
  const listed = unwrapped === undefined ? place : { ...place, website: unwrapped }
  return { place_key: place.place_key, place: capToJob(listed, data), web_presence: tier }
}

type JobData = JobDocument['data']
type Caps = Pick<JobData, 'include_emails' | 'max_images' | 'max_reviews'> & ReviewOptions

/**
 * Cuts a place to the caps and options of its job, so the user is not charged for more. A cap of 0 removes the list.
 */
function capToJob(place: Place, caps: Caps): Place {
  const { include_emails, max_images, max_reviews } = caps
  const { emails, email_details, phones, social_links, ...listed } = place
  const { images = [], user_reviews = [], user_reviews_extended = [], ...bare } = listed
  const reviews = wantedReviews(user_reviews, caps).slice(0, max_reviews)
  const further = wantedReviews(user_reviews_extended, caps).slice(0, max_reviews - reviews.length)
  return {
    ...bare,
    ...(include_emails && emails ? { emails } : {}),
    ...(include_emails && email_details ? { email_details } : {}),
    ...(include_emails && phones ? { phones } : {}),
    ...(include_emails && social_links ? { social_links } : {}),
    ...(images.length > 0 && max_images > 0 ? { images: images.slice(0, max_images) } : {}),
    ...(reviews.length > 0 ? { user_reviews: reviews } : {}),
    ...(further.length > 0 ? { user_reviews_extended: further } : {}),
  }
}
