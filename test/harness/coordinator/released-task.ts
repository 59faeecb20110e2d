import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import { noOutcomes } from '@placefleet/shared/outcome'
import { encodePlace } from '@placefleet/shared/protocol'
import { placeOf } from '../agents/scripted-collector.ts'
import { until } from '../until.ts'
import type { TestCoordinator, World } from './world.ts'

/** Returns the event that holds these places of a scripted town. */
export const placesEvent = (...numbers: number[]) =>
  ({ $case: 'places', value: { places: numbers.map((n) => encodePlace(placeOf(n))) } }) as const

/** The event that ends a task well. */
export const finishedEvent = { $case: 'finished', value: { outcomes: noOutcomes() } } as const

/** Returns a released task whose job has no other, in fast mode so that it yields places. */
export async function releasedTask(world: World, { client }: TestCoordinator, request: Record<string, unknown> = {}) {
  const job_id = await client.create({ keywords: ['one'], fast_mode: true, ...request })
  const tasks = world.db.collection<TaskDocument>('tasks')
  const task = await until('the task is released', async () => {
    return await tasks.findOne({ job_id, state: 'released' })
  })
  return { job_id, task_id: task._id, tasks }
}
