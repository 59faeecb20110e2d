import { CreateJobRequest } from '@placefleet/shared/job'
import { hadDemo, takeDemo } from '../accounts/store.ts'
import { type CreateJobDeps, createJob } from './create.ts'
import { hadAnyJob } from './user-jobs.ts'

const REQUEST = CreateJobRequest.parse({
  name: 'Demo: cafés of a simulated city',
  keywords: ['cafe'],
  language: 'en',
  max_results: 60,
  max_reviews: 3,
  max_time: 300,
  demo: true,
})

/** The demo job of a user. A header cannot contain a line break, so no user can send this key. */
const ONCE = { key: 'demo\n', fingerprint: 'demo' }

/**
 * Creates the demo job of a user who never had a job. It is created once and costs nothing. Safe to repeat: the user's
 * mark comes after the job.
 * @throws AppError `idempotency_key_in_use` while another request creates it.
 */
export async function createDemoJob(deps: CreateJobDeps, user_id: string): Promise<void> {
  if (await hadDemo(deps.db, user_id)) return
  const creation = {
    user_id,
    source: 'web',
    paid: false,
    concurrent_jobs: 1,
    request: REQUEST,
    idempotent: ONCE,
  } as const
  if (!(await hadAnyJob(deps.db, user_id))) await createJob(deps, creation)
  await takeDemo(deps.db, user_id)
}
