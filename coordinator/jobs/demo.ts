import { CreateJobRequest } from '@placefleet/shared/job'
import type { Db } from 'mongodb'
import { takeDemo } from '../accounts/store.ts'
import { type CreateJobDeps, createJob } from './create.ts'

/** Collects the tasks of demo jobs from a simulated city. */
export type DemoCity = {
  /** Offers a task of a demo job to the city. Idempotent. */
  offer(task_id: string): void
}

const REQUEST = CreateJobRequest.parse({
  name: 'Demo: cafés of a simulated city',
  keywords: ['cafe'],
  language: 'en',
  max_results: 60,
  max_reviews: 3,
  max_time: 300,
})

/** Creates the demo job of a user who never had a job. It is created once and costs nothing. */
export async function createDemoJob(deps: CreateJobDeps & { db: Db }, user_id: string): Promise<void> {
  if (await deps.jobs.hadAny(user_id)) return
  if (!(await takeDemo(deps.db, user_id))) return
  await createJob(deps, { user_id, source: 'web', paid: false, concurrent_jobs: 1, demo: true, request: REQUEST })
}
