import type { Finished, FoundPlaces, TaskEvent } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import { LIMITED_PARTS, type Place, PlaceReference } from '@placefleet/shared/place'
import { filterVerdict, type JobFilter, rejectionReason } from '@placefleet/shared/place-filter'
import { decodePlace, MAX_EVENT, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { matchingReviews, type ReviewOptions } from '@placefleet/shared/review-options'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Db } from 'mongodb'
import { costWith } from '../billing/prices/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { Updates } from '../mongo/locks.ts'
import type { AcceptedPlace, AppendedPlaces, ResultAppender } from '../results/append.ts'
import type { HeldLease } from '../tasks/held-lease.ts'
import { reportInputs } from '../tasks/inputs.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import { MAX_REFERENCES, MAX_REFERENCES_OF_AREA, type References } from '../tasks/plan.ts'
import type { AgentActivity } from './activity.ts'
import { ContractViolation } from './call.ts'
import { endOf, visitsOf } from './counts.ts'
import { recordOfCells } from './record-cells.ts'
import { missedInputs, type TaskInputs } from './task-inputs.ts'

export type IngestDeps = {
  db: Db
  log: Logger
  engine: JobEngine
  leases: Leases
  references: References
  results: ResultAppender
  known: Pick<KnownPlaces, 'among' | 'noteDropped'>
  activity: AgentActivity
}

/** A task that an agent runs, with its lease and its job. */
export type RunningTask = {
  readonly held: HeldLease
  /** The id of the agent's own exit. */
  readonly exit: string
  /** Whether its requests go through proxies. */
  readonly proxied: boolean
  readonly job: JobDocument
  readonly ordinal: number
  readonly keyword?: string | undefined
  readonly inputs: TaskInputs
  /** Which places its job keeps. */
  readonly filter: JobFilter
  /** Cells of the attempt since those of the job were counted. Undefined: an earlier stream sent some. */
  cells: number | undefined
}

/** A lease lasts 15 s after its renewal. So no other agent can hold it for this long after a confirmation. */
const CONFIRMED_MS = 5_000

/** What became of an event: `job_ended` when its job takes no more places. */
type Ingested = 'stored' | 'lease_lost' | 'job_ended'

/** An event with places or references, and its number within the attempt. `finished`: the end of its task. */
type FoundEvent = {
  sequence: number
  content: NonNullable<TaskEvent['content']>
  cells?: TaskEvent['cells']
  finished?: Finished | undefined
}

/**
 * Validates, filters and caps the places and references of an event. One command stores them, records the cells that
 * the event says were searched, and records the event at its task or ends that, in this order: what is recorded is
 * stored.
 * @throws ContractViolation when the event breaks the contract.
 */
export async function ingest(deps: IngestDeps, task: RunningTask, event: FoundEvent): Promise<Ingested> {
  // Nothing is stored without a confirmed lease, so no other attempt can run meanwhile.
  if (!(await task.held.renewIfOlderThan(CONFIRMED_MS))) return 'lease_lost'
  const cells = event.cells ? await recordOfCells(deps, task, event.cells.cells) : []
  const { sequence, content, finished } = event
  const { lease } = task.held
  const recordOf: RecordOf = (counted, visits) => [
    ...cells,
    finished
      ? deps.leases.completion(lease, endOf(finished), counted)
      : deps.leases.acknowledgement(lease, sequence, counted, visits),
  ]
  return content.$case === 'references'
    ? ingestReferences(deps, task, content.value.references, recordOf)
    : ingestPlaces(deps, task, content.value, recordOf)
}

/** Returns the updates that record an event with these counts. */
type RecordOf = (counted: Partial<OutcomeCounts>, visits?: WebsiteVisits) => Updates

async function ingestReferences(
  deps: IngestDeps,
  { held, job }: RunningTask,
  messages: unknown[],
  recordOf: RecordOf,
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.references) throw new ContractViolation('an event with too many references')
  const parsed = messages.map((message) => PlaceReference.safeParse(message))
  const references = parsed.flatMap((reference) => (reference.success ? [reference.data] : []))
  const { fresh, known } = await withoutKnown(deps, job, references)
  const most = job.data.exhaust ? MAX_REFERENCES_OF_AREA : MAX_REFERENCES
  const broken = messages.length - references.length
  const then = ({ duplicates, refused }: { duplicates: number; refused: number }) =>
    recordOf({ duplicate: duplicates, known, broken, limited: refused })
  const adding = { task_id: held.lease.task_id, most, then }
  const { isRecorded } = await held.confirmBy(() => deps.references.add(job._id, fresh, adding))
  deps.engine.placesListed(job._id)
  return isRecorded ? 'stored' : 'lease_lost'
}

async function ingestPlaces(
  deps: IngestDeps,
  task: RunningTask,
  { places: messages, website_visits }: FoundPlaces,
  recordOf: RecordOf,
): Promise<Ingested> {
  if (messages.length > MAX_EVENT.places) throw new ContractViolation('an event with too many places')
  const { job, held } = task
  const { agent_id, task_id } = held.lease
  const { accepted, rejected, filtered, out_of_area } = acceptPlaces(deps.log, task, messages)
  const { fresh, known } = await withoutKnown(deps, job, accepted)
  const dropped = accepted.filter((place) => !fresh.includes(place))
  const missed = missedInputs(task, { filtered: [...filtered, ...dropped], out_of_area })
  if (missed.length > 0) await reportInputs(deps.db, job._id, missed)
  const visits = website_visits && visitsOf(website_visits)
  const { stored, totals, end, isRecorded } = await store(deps, task, fresh, ({ stored: ok, duplicates }) =>
    recordOf({ ...rejected, ok, known, duplicate: rejected.duplicate + duplicates }, visits),
  )
  deps.activity.count(agent_id, { stored, ended: messages.length, blocked: 0, refused: 0 })
  deps.log.debug({ job_id: job._id, task_id, stored }, 'places stored')
  if (end) {
    await deps.engine.resultsEnded(job._id, totals, end === 'spent')
    return 'job_ended'
  }
  if (stored > 0 && totals.places === stored) await deps.engine.firstPlacesStored(job._id, totals)
  return isRecorded ? 'stored' : 'lease_lost'
}

/**
 * Drops the known places of a job with `only_new` before they are collected or stored. Records the known places that
 * the job saw.
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

/** Stores places and records their event. `isRecorded` is false when the lease is lost. */
async function store(
  { results }: IngestDeps,
  { held, job, inputs }: RunningTask,
  accepted: AcceptedPlace[],
  recordOf: (counts: { stored: number; duplicates: number }) => Updates,
): Promise<AppendedPlaces> {
  const places = accepted.map((place) => ({ ...place, input: inputs.get(place.place_key)?.input }))
  const { user_id, _id: job_id, data } = job
  const affordable = (totals: JobDocument['totals']) => costWith(job, totals) <= job.held
  const to = { ...held.lease, user_id, job_id, max_results: data.max_results, affordable }
  return held.confirmBy(() => results.append(to, places, recordOf))
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
function acceptPlaces(log: Logger, { held, job, filter }: RunningTask, messages: Uint8Array[]): AcceptedPlaces {
  const { data } = job
  const valid = messages.flatMap((message) => validPlace(log, held.lease, message))
  const named = [...new Map(valid.map((place) => [place.place_key, place])).values()].map((place) =>
    placeFor(data, place),
  )
  const judged = Object.groupBy(named, ({ place, web_presence }) => {
    return rejectionReason(place, filter, web_presence) ?? 'accepted'
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
  const reviews = matchingReviews(user_reviews, caps).slice(0, max_reviews)
  const further = matchingReviews(user_reviews_extended, caps).slice(0, max_reviews - reviews.length)
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
