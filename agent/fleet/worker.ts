import type { Logger } from '@placefleet/shared/log'
import { runTask, type TaskRunner } from './run-task.ts'
import type { TaskQueue } from './task-queue.ts'

/** As many tasks at once as there are slots. */
export type Worker = {
  /** How many slots have a task. */
  busy(): number
  /** Resolves when the signal aborted and every slot has come to its end. */
  done: Promise<void>
}

/** Fills the slots with tasks until the runner's signal says to stop: a slot asks for one task at a time. */
export function startWorker(runner: TaskRunner & { log: Logger }, queue: TaskQueue, slots: number): Worker {
  let busy = 0
  const slot = async () => {
    for (let task = await queue.next(runner.draining); task; task = await queue.next(runner.draining)) {
      busy += 1
      const { answered, task_id } = task
      await runTask(runner, task_id, once(answered)).catch((error: unknown) =>
        runner.log.error({ err: error, task_id }, 'running a task failed'),
      )
      busy -= 1
    }
  }
  const done = Promise.all(Array.from({ length: slots }, slot)).then(() => undefined)
  return { busy: () => busy, done }
}

function once(callback: () => void): () => void {
  let called = false
  return () => {
    if (!called) callback()
    called = true
  }
}
