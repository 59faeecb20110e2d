import type { Db } from 'mongodb'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { jobsOf } from './jobs/documents.ts'
import { jobBacklog } from './jobs/reports.ts'
import { tasksOf } from './tasks/documents.ts'
import { taskBacklog } from './tasks/overview.ts'

/**
 * The figures of a coordinator. Those of jobs and tasks are the deployment's, read from the database when they are asked
 * for; alert on the age of the oldest job that has not ended.
 */
export function createCoordinatorMetrics(db: Db, streams: { count(): number }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  gauge(registry, 'placefleet_task_streams', 'task streams open on this coordinator', [], async (set) =>
    set({}, streams.count()),
  )
  gauge(registry, 'placefleet_jobs', 'jobs that have not ended', ['status'], async (set) => {
    const { pending, running, aborting } = await jobBacklog(jobsOf(db))
    for (const [status, count] of Object.entries({ pending, running, aborting })) set({ status }, count)
  })
  gauge(registry, 'placefleet_oldest_job_seconds', 'age of the oldest job that has not ended', [], async (set) =>
    set({}, (await jobBacklog(jobsOf(db))).oldest?.age ?? 0),
  )
  gauge(registry, 'placefleet_tasks', 'tasks that are not over', ['state'], async (set) => {
    const { waiting, released, running } = await taskBacklog(tasksOf(db))
    for (const [state, count] of Object.entries({ waiting, released, running })) set({ state }, count)
  })
  return registry
}

type Set = (labels: Record<string, string>, value: number) => void

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: (set: Set) => Promise<void>,
) {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      await read((labels, value) => this.set(labels, value))
    },
  })
}
