import { CreateJobRequest } from '@placefleet/shared/job'
import type { Db } from 'mongodb'
import { takeDemo } from '../accounts/store.ts'
import { type CreateJobDeps, createJob } from './create.ts'

const REQUEST = CreateJobRequest.parse({
  name: 'Demo: cafés of a simulated city',
  keywords: ['cafe'],
  language: 'en',
  max_results: 60,
  max_reviews: 3,
  max_time: 300,
  demo: true,
})

/** Creates the demo job of a user who never had a job. It is created once and costs nothing. */
export async function createDemoJob(deps: CreateJobDeps & { db: Db }, user_id: string): Promise<void> {
  if (await deps.jobs.hadAny(user_id)) return
  if (!(await takeDemo(deps.db, user_id))) return
  await createJob(deps, { user_id, source: 'web', paid: false, concurrent_jobs: 1, request: REQUEST })
}
