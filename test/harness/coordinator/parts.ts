import type { Context } from '@placefleet/coordinator/context'
import { createRunningJobs } from '@placefleet/coordinator/fleet/running-jobs'
import { findJob } from '@placefleet/coordinator/jobs/store'
import { createCounters } from '@placefleet/coordinator/process/counters'
import { createServices } from '@placefleet/coordinator/services'
import { TIMINGS } from '@placefleet/coordinator/timings'

type Given = Pick<Context, 'config' | 'log' | 'db' | 'nats'> & Partial<Context>

/** Returns what all rooms of a coordinator share. */
export const contextOf = (given: Given): Context => ({ counters: createCounters(), timings: TIMINGS, ...given })

export type Parts = Awaited<ReturnType<typeof createParts>>

/** Creates all parts of a coordinator by name, so that a test can use one or replace it. No loop runs over them. */
export async function createParts(given: Given) {
  const context = contextOf(given)
  const { billing, tasks, exits, fleet, webhooks, monitors, jobs, ...single } = await createServices(context)
  const runningJobs = createRunningJobs((job_id) => findJob(context.db, job_id), jobs.engine)
  const below = { ...context, ...single, ...jobs.jobCreation, ...billing, ...tasks, ...exits, ...fleet, ...webhooks }
  return { ...below, ...monitors, ...jobs, runningJobs }
}
