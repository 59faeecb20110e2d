import type { Assignment, JobParameters } from '@placefleet/proto/fleet'
import type { PlaceReference } from '@placefleet/shared/place'
import { z } from 'zod'
import type { JobDocument } from '../jobs/documents.ts'
import { areaOf } from '../jobs/documents.ts'
import type { ResultAppender } from '../results/append.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import { LEASE_SECONDS } from '../tasks/lease.ts'
import type { References } from '../tasks/references.ts'
import { countryAt } from './country.ts'

export type AssignmentDeps = {
  references: References
  secrets: SecretBox
  results: Pick<ResultAppender, 'keys' | 'seen'>
}

const Proxies = z.array(z.string())

/** The assignment of a task: everything that its agent needs to know. */
export async function assignmentOf(deps: AssignmentDeps, task: TaskDocument, job: JobDocument): Promise<Assignment> {
  const references = task.kind === 'collect' ? await deps.references.ofTask(job._id, task.ordinal) : []
  const stored = await storedKeys(deps, task, references)
  const places = Math.max(job.totals.places, deps.results.seen(job._id)?.places ?? 0)
  return {
    task_id: task._id,
    job_id: job._id,
    attempt: task.attempt,
    acknowledged_sequence: BigInt(task.sequence),
    lease_seconds: LEASE_SECONDS,
    parameters: await parametersOf(job),
    work:
      task.kind === 'discover'
        ? { $case: 'discover', value: { keyword: task.keyword ?? '' } }
        : { $case: 'collect', value: { references } },
    proxies: job.sealed_proxies === undefined ? [] : Proxies.parse(JSON.parse(deps.secrets.open(job.sealed_proxies))),
    stored_place_keys: stored,
    places_wanted: Math.max(0, job.data.max_results - places),
    seconds_left: Math.max(0, ((job.deadline_at?.getTime() ?? 0) - Date.now()) / 1000),
  }
}

/** The places that the task may skip. No earlier attempt of a new collect task has stored any. */
async function storedKeys({ results }: AssignmentDeps, task: TaskDocument, references: PlaceReference[]) {
  if (task.kind === 'discover') return results.keys(task.job_id)
  if (task.attempt === 1) return []
  return results.keys(
    task.job_id,
    references.map((reference) => reference.place_key),
  )
}

async function parametersOf({ data }: JobDocument): Promise<JobParameters> {
  const { latitude, longitude, radius } = areaOf(data)
  return {
    language: data.language,
    depth: data.depth,
    fast_mode: data.fast_mode,
    include_emails: data.include_emails,
    max_images: data.max_images,
    max_reviews: data.max_reviews,
    website_filter: data.website_filter,
    zoom: data.zoom,
    latitude,
    longitude,
    radius,
    country: data.country ?? (await countryAt(latitude, longitude)),
  }
}
