import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { SingleBar } from 'cli-progress'
import type { DemoClient } from './client.ts'

/** The rate limit of a free key allows two requests per second. */
const POLL_MS = 500

export type Watched = { job: Job; firstPlaceMs: number | undefined }

/** Polls a job until it has ended and shows its progress on stderr. */
export async function watchJob(client: DemoClient, id: string, wanted: number, signal: AbortSignal): Promise<Watched> {
  const started = performance.now()
  const bar = new SingleBar({
    format: '{bar} {value}/{total} places · {tasks} tasks done · {seconds} s',
    stream: process.stderr,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  })
  let firstPlaceMs: number | undefined
  bar.start(wanted, 0, { tasks: '0/0', seconds: 0 })
  try {
    for (;;) {
      const job = await client.job(id)
      const elapsed = performance.now() - started
      if (job.result_count > 0) firstPlaceMs ??= elapsed
      const { tasks_done, tasks_total } = job.progress
      bar.update(job.result_count, { tasks: `${tasks_done}/${tasks_total}`, seconds: (elapsed / 1_000).toFixed(1) })
      if (isFinal(job.status)) {
        bar.setTotal(job.result_count) // fewer than wanted if there are no more
        return { job, firstPlaceMs }
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  } finally {
    bar.stop()
  }
}
