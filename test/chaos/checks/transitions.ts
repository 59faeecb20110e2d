import { canMove, JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { type Order, readsOf } from '../users/user.ts'
import type { Expect } from './violation.ts'
import type { Seen } from './watch.ts'

/** Returns whether a job may get from one status to another over any number of moves: looks are rarer than moves. */
const canReach = (from: JobStatus, to: JobStatus): boolean =>
  from === to || JOB_STATUSES.some((next) => canMove(from, next) && canReach(next, to))

/** Checks every change of status that was seen, in the database and by users, against the model of a job's life. */
export function checkTransitions(seen: ReadonlyMap<string, Seen>, orders: readonly Order[], expect: Expect): void {
  const check = 'job state machine'
  for (const [job_id, { statuses }] of seen) {
    statuses.forEach((status, index) => {
      const { [index - 1]: before = status } = statuses
      expect(check, canReach(before, status), `job ${job_id} went from ${before} to ${status}`)
    })
  }
  for (const order of orders) {
    const { name } = order.request
    for (const [one, next] of inOrder(order)) {
      const calls = `calls ${one.number} and ${next.number}`
      const isReached = canReach(one.status, next.status)
      expect(check, isReached, `${name} was shown as ${one.status}, then ${next.status} (${calls})`)
      const [before, after] = [one.result_count, next.result_count]
      expect(check, before <= after, `${name} was shown with ${before} places, then ${after} (${calls})`)
    }
  }
}

/** Pairs of reads of which one had ended when the other began. */
function inOrder(order: Order) {
  const reads = readsOf(order)
  return reads.flatMap((one, index) =>
    reads.slice(index + 1).flatMap((next) => (one.ended < next.begun ? [[one, next] as const] : [])),
  )
}
