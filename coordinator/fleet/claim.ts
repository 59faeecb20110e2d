import { randomUUID } from 'node:crypto'
import type { Assignment, Claim } from '@placefleet/proto/fleet'
import { areaOf, centreOf } from '@placefleet/shared/area/area-of'
import { centre } from '@placefleet/shared/cell'
import { filterOf } from '@placefleet/shared/place-filter'
import { type Refusal, TaskParameters } from '@placefleet/shared/protocol'
import type { Db } from 'mongodb'
import { listedInCells } from '../coverage/store.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import { findProxies, openProxies } from '../jobs/proxies.ts'
import { findJob } from '../jobs/store.ts'
import type { ResultAppender } from '../results/append.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import { holdLease, momentNow } from '../tasks/held-lease.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import { MAX_REFERENCES, type References, type TaskReference } from '../tasks/plan.ts'
import { isRefused } from '../tasks/snooze.ts'
import { findTask } from '../tasks/store.ts'
import { mayHaveProxies, type ProxyAgents } from './agents.ts'
import { type Caller, idOf, mustBeId } from './call.ts'
import type { RunningTask } from './ingest.ts'
import type { OpenStreams } from './open-streams.ts'
import type { RunningJobs } from './running-jobs.ts'
import { taskInputs } from './task-inputs.ts'

export type ClaimDeps = AssignmentDeps & {
  leases: Leases
  engine: JobEngine
  streams: OpenStreams
  runningJobs: RunningJobs
  proxyAgents: ProxyAgents
}

/** The most tasks that one enrolled agent may hold: more than any agent has slots, and a bound for a stolen token. */
const MAX_TASKS_OF_AGENT = 200

export type Granted = { task: RunningTask; assignment: Assignment }

/**
 * Grants a task to an agent, or returns the reason for the refusal. Releases the next tasks after the answer. It costs one
 * database command, and one more for each of these: a job or a pool of proxies that is not cached, the job's own
 * proxies, the references of a collect task, stored places, the start of the job.
 * @throws ContractViolation when an id of the claim is not a UUID.
 */
export async function grantClaim(
  deps: ClaimDeps,
  caller: Caller,
  claim: Claim,
): Promise<Granted | { refusal: Refusal }> {
  mustBeId(claim.task_id)
  if (claim.claim_id !== undefined) mustBeId(claim.claim_id)
  const holder = { agent_id: idOf(caller, claim.agent_id), stream: randomUUID() }
  const isNew = claim.resume_attempt === undefined
  const refusal = isNew ? refusalOf(caller, deps.streams) : undefined
  if (refusal) return { refusal }
  const asked = momentNow()
  const exit = caller.exit.id
  const mayHave = mayHaveProxies(deps.proxyAgents, caller.enrolment?.name)
  const task = await take(deps, claim, { ...holder, exit, proxies: mayHave })
  if (!task) return { refusal: await refusalFor(deps, claim, { claimants: [holder.agent_id, exit], proxies: mayHave }) }
  const lease = { ...holder, task_id: task._id, attempt: task.attempt }
  const job = await deps.runningJobs(task.job_id)
  const proxies = job && (mayHave ? await proxiesOf(deps, job) : [])
  if (!job || !proxies) {
    await deps.leases.cancel(lease)
    return { refusal: 'done' }
  }
  deps.streams.granted(job._id, lease)
  if (isNew) deps.engine.taskClaimed(job._id)
  const cells = isNew ? 0 : undefined // what earlier streams of the attempt sent is not known here
  const references = task.kind === 'collect' ? await deps.references.ofTask(job._id, task.ordinal, job.task_size) : []
  const assignment = await assignmentOf(deps, task, job, { references, proxies })
  const proxied = proxies.length > 0
  const inputs = taskInputs(references)
  const held = holdLease(deps.leases, lease, asked)
  const { ordinal, keyword } = task
  const filter = filterOf({ ...job.data, ...centreOf(job.data) })
  return { task: { held, exit, proxied, job, ordinal, keyword, inputs, filter, cells }, assignment }
}

/** Returns why an agent may claim no other task for now. The queue offers the task to other agents at once. */
export function refusalOf(
  { draining, enrolment }: Pick<Caller, 'draining' | 'enrolment'>,
  streams: Pick<OpenStreams, 'countOf'>,
): Refusal | undefined {
  if (draining) return 'draining'
  const isFull = enrolment !== undefined && streams.countOf(enrolment.name) >= MAX_TASKS_OF_AGENT
  return isFull ? 'full' : undefined
}

function take(
  { leases }: ClaimDeps,
  { task_id, resume_attempt: attempt, claim_id }: Claim,
  { exit, proxies, ...holder }: Pick<Lease, 'agent_id' | 'stream'> & { exit: string; proxies: boolean },
): Promise<TaskDocument | undefined> {
  return attempt === undefined
    ? leases.claim(task_id, { ...holder, exit, proxies }, claim_id)
    : leases.resume({ ...holder, task_id, attempt })
}

async function refusalFor(
  { db }: ClaimDeps,
  claim: Claim,
  { claimants, proxies }: { claimants: readonly string[]; proxies: boolean },
): Promise<Refusal> {
  const task = await findTask(db, claim.task_id)
  if (!task) return 'unknown'
  const job = await findJob(db, task.job_id)
  if (job?.status !== 'running' && job?.status !== 'pending') return 'done'
  if (claim.resume_attempt !== undefined) return 'stale'
  if (task.proxied && !proxies) return 'proxies'
  return isRefused(task, claimants) ? 'resting' : 'busy'
}

type AssignmentDeps = {
  db: Db
  references: References
  secrets: SecretBox
  results: Pick<ResultAppender, 'keys' | 'seen'>
  /** The proxies of the pool, for jobs that bring none. */
  pooledProxies: () => Promise<string[]>
}

/** Returns the assignment of a task: everything that its agent needs to know. */
async function assignmentOf(
  deps: AssignmentDeps,
  task: TaskDocument,
  job: JobDocument,
  { references, proxies }: { references: readonly TaskReference[]; proxies: string[] },
): Promise<Assignment> {
  const places = Math.max(job.totals.places, deps.results.seen(job._id)?.places ?? 0)
  const stored = await storedKeys(deps, task, job, references, places)
  return {
    task_id: task._id,
    job_id: job._id,
    attempt: task.attempt,
    acknowledged_sequence: BigInt(task.sequence),
    parameters: JSON.stringify(await parametersOf(job)),
    work:
      task.kind === 'discover'
        ? { $case: 'discover', value: searchOf(task) }
        : { $case: 'collect', value: { references: references.map(referenceFor) } },
    proxies,
    stored_place_keys: stored,
    places_wanted: remainingPlaces(job, places),
    traceparent: job.traceparent,
  }
}

/**
 * Returns the proxies of a job: its own, else those of the pool. The simulated city of demo jobs is reached directly.
 * Undefined: its own ones are gone, because it has ended. Its requests never go without them.
 */
async function proxiesOf(
  { db, secrets, pooledProxies }: AssignmentDeps,
  job: JobDocument,
): Promise<string[] | undefined> {
  if (job.proxy_count > 0) {
    const sealed = await findProxies(db, job._id)
    return sealed === undefined ? undefined : openProxies(secrets, sealed)
  }
  return job.data.demo ? [] : pooledProxies()
}

const searchOf = ({ keyword = '', audit, cells = [] }: TaskDocument) => ({ keyword, audit, cells })

/**
 * Returns how many more places a job takes. With `only_new` known places do not count for the cap. Agents do not know which
 * ones are known, so they search until they are stopped.
 */
function remainingPlaces({ data }: JobDocument, stored: number): number {
  return data.only_new ? MAX_REFERENCES : Math.max(0, data.max_results - stored)
}

/**
 * Returns the places that the task may skip. The first attempt of a collect task has none, nor has the first attempt of
 * a search of a job without known places. A search of cells lists what earlier ones listed there; it matters in fast mode
 * only. A place that is sent although it is stored is not stored again.
 */
async function storedKeys(
  { db, results }: AssignmentDeps,
  task: TaskDocument,
  { data }: JobDocument,
  references: readonly TaskReference[],
  places: number,
): Promise<string[]> {
  if (task.attempt === 1 && (task.kind === 'collect' || places === 0)) return []
  if (task.cells && task.keyword !== undefined) {
    if (!data.fast_mode) return []
    return results.keys(task.job_id, await listedInCells(db, task.job_id, task.keyword, task.cells))
  }
  if (task.kind === 'discover') return results.keys(task.job_id)
  const keys = references.map(({ place_key, found_key = place_key }) => found_key)
  const stored = new Set(await results.keys(task.job_id, keys))
  return references.flatMap(({ place_key, found_key = place_key }) => (stored.has(found_key) ? [place_key] : []))
}

/** Returns a reference as an agent gets it. */
const referenceFor = ({ reference, input }: TaskReference) =>
  input === undefined ? reference : { ...reference, input: true }

async function parametersOf({ data }: JobDocument): Promise<TaskParameters> {
  const located = { ...data, ...centreOf(data) }
  const area = areaOf(located)
  const { latitude, longitude } = area ? centre(area.bounds) : located
  const country = data.country ?? (await countryAt(latitude, longitude))
  return TaskParameters.parse({ ...located, country })
}

/**
 * Returns the country of a point in decimal degrees as two lower-case letters (ISO 3166). A territory with its own code
 * counts as a country. Returns undefined on the high seas and without a point.
 */
export async function countryAt(
  latitude: number | undefined,
  longitude: number | undefined,
): Promise<string | undefined> {
  if (latitude === undefined || longitude === undefined) return undefined
  // Loaded on first use: the borders take 23 MB.
  const { iso1A2Code } = await import('@rapideditor/country-coder')
  return iso1A2Code([longitude, latitude], { level: 'territory' })?.toLowerCase()
}
