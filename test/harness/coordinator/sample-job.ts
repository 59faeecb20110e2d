import { randomUUID } from 'node:crypto'
import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { CreateJobRequest } from '@placefleet/shared/job'
import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import { noOutcomes } from '@placefleet/shared/outcome'

let slots = 0

/** The phase of a job with a status, as long as nothing is under way. */
export function lifeOf(status: JobStatus): Pick<JobDocument, 'phase' | 'end'> {
  if (status === 'pending' || status === 'running' || status === 'aborting') return { phase: status }
  return { phase: 'ended', end: status }
}

/** Returns a pending job of a user as it is stored, with what a test wants different. */
export function sampleJob(user_id: string, changes: Partial<JobDocument> = {}): JobDocument {
  const request = CreateJobRequest.parse({ name: 'Cafés', keywords: ['cafe'], language: 'en' })
  const { name, proxies: _none, ...data } = request
  const now = new Date()
  const { status = 'pending' } = changes
  return {
    _id: randomUUID(),
    user_id,
    name,
    data,
    proxy_count: 0,
    task_size: 10,
    source: 'api',
    paid: false,
    ...lifeOf(status),
    status,
    listed: true,
    ...(changes.listed !== false && { uncounted: 1 }),
    prices: DEFAULT_PRICES,
    held: 0,
    totals: { places: 0, reviews: 0, images: 0 },
    progress: { discovered: 0, tasks_total: 1, tasks_done: 0 },
    outcomes: noOutcomes(),
    phase_at: now,
    created_at: now,
    updated_at: now,
    ...(!isFinal(status) && { slot: ++slots }),
    ...(status === 'running' && { deadline_at: new Date(now.getTime() + 3_600_000) }),
    ...changes,
  }
}
