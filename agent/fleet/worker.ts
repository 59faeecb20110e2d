import { abortable, backoffMs, delay } from '@placefleet/shared/timing'
import { runTask, type TaskRunner } from './run-task.ts'
import type { OfferedTask, TaskQueue } from './task-queue.ts'

/** Runs tasks in a fixed number of slots. */
export type Worker = {
  /** How many slots have a task. */
  busy(): number
  /** Resolves after the signal has aborted and every slot has ended its task. */
  done: Promise<void>
}

/** Fills the slots with tasks until the runner drains. Each slot takes one task at a time. */
export function startWorker(runner: TaskRunner, queue: TaskQueue, slots: number, pause: Pause = createPause()): Worker {
  let busy = 0
  const next = async (): Promise<OfferedTask | undefined> => {
    while (!runner.draining.aborted) {
      await pause.over(runner.draining)
      const task = await queue.next(AbortSignal.any([runner.draining, pause.begins()]))
      if (task) return task
    }
    return undefined
  }
  const slot = async () => {
    let unclaimed = 0
    for (let task = await next(); task; task = await next()) {
      busy += 1
      const claimed = await runOffered(runner, task)
      busy -= 1
      unclaimed = claimed ? 0 : unclaimed + 1
      // Without a pause, an agent that cannot claim would take the same tasks from the queue repeatedly.
      if (!claimed) await delay(backoffMs(unclaimed, 500, 10_000), runner.draining)
    }
  }
  const done = Promise.all(Array.from({ length: slots }, slot)).then(() => undefined)
  return { busy: () => busy, done }
}

/** Runs a task. Returns false when it was not claimed: no coordinator answered, or this agent may claim no task. */
async function runOffered(runner: TaskRunner, { task_id, answered, declined }: OfferedTask): Promise<boolean> {
  let claimed = false
  const onAnswered = () => {
    if (!claimed) answered()
    claimed = true
  }
  try {
    await runTask(runner, task_id, onAnswered)
  } catch (error) {
    runner.log.error({ err: error, task_id }, 'running a task failed')
  }
  if (!claimed) declined()
  return claimed
}

/** Whether an agent takes tasks. Its slots wait during a pause. */
export type Pause = {
  /** Begins or ends the pause. */
  set(paused: boolean): void
  /** Resolves when there is no pause, or when the signal aborts. */
  over(signal: AbortSignal): Promise<void>
  /** Aborts when a pause begins. Already aborted during a pause. */
  begins(): AbortSignal
}

/** Creates a pause that has not begun. */
export function createPause(): Pause {
  let beginning = new AbortController()
  let resumed = Promise.withResolvers<void>()
  return {
    set(paused) {
      if (paused === beginning.signal.aborted) return
      if (paused) {
        beginning.abort()
        return
      }
      beginning = new AbortController()
      resumed.resolve()
      resumed = Promise.withResolvers()
    },
    async over(signal) {
      while (beginning.signal.aborted && !signal.aborted) {
        await abortable(resumed.promise, signal).catch(() => undefined)
      }
    },
    begins: () => beginning.signal,
  }
}
