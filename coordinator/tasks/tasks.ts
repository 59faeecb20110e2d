import type { Context } from '../context.ts'
import { createLeases } from './lease.ts'
import { createTaskNotifier } from './notifier.ts'
import { createReferences } from './plan.ts'

export type Tasks = Awaited<ReturnType<typeof createTasks>>

/** Creates the room of tasks: their leases, the places that searches listed, and the queue of the fleet. */
export async function createTasks({ config, log, db, nats, timings, demoCity }: Context) {
  return {
    leases: createLeases(db, timings),
    references: createReferences(db),
    notifier: await createTaskNotifier(nats, log, { replicas: config.NATS_REPLICAS, offerDemo: demoCity?.offer }),
  }
}
