import type { Db } from 'mongodb'
import type { Leases } from '../tasks/lease.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import { renewOverdue } from '../tasks/store.ts'
import type { Timings } from '../timings.ts'
import type { JobEngine } from './engine.ts'

type ExpireDeps = { leases: Pick<Leases, 'expire'>; engine: Pick<JobEngine, 'taskReturned'> }

/** Takes tasks from agents whose leases have expired. Their jobs release them again soon. */
export async function expireLeases({ leases, engine }: ExpireDeps): Promise<void> {
  for (const job_id of await leases.expire()) engine.taskReturned(job_id)
}

type NotifyDeps = { db: Db; notifier: TaskNotifier; timings: Timings }

/**
 * Notifies the fleet again of tasks that no agent claimed. An empty queue means that their messages were lost, so the
 * wait is short. While messages wait in the queue, theirs may be among them, so the wait is longer.
 */
export async function notifyAgain({ db, notifier, timings }: NotifyDeps): Promise<void> {
  const waiting = await notifier.waiting()
  if (waiting === undefined) return
  const { emptyQueue, busyQueue } = timings.notifyAgainMs
  for (const task of await renewOverdue(db, waiting === 0 ? emptyQueue : busyQueue)) await notifier.notify(task)
}
