import { canMove, JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { z } from 'zod'
import type { Order } from '../users/orders.ts'
import { createFindings, type Violation } from './violation.ts'
import type { Seen } from './watch.ts'

const Shown = z.object({ body: z.object({ status: z.enum(JOB_STATUSES), result_count: z.number() }) })

/** Returns whether a job may get from one status to another over any number of moves: looks are rarer than moves. */
export function canReach(from: JobStatus, to: JobStatus): boolean {
  return from === to || JOB_STATUSES.some((next) => canMove(from, next) && canReach(next, to))
}

/** Checks every change of status that was seen, in the database and by users, against the model of a job's life. */
export function checkTransitions(seen: ReadonlyMap<string, Seen>, orders: readonly Order[]): Violation[] {
  const { violations, expect } = createFindings('job state machine')
  for (const [job_id, { statuses }] of seen) {
    statuses.forEach(({ status }, index) => {
      const before = statuses[index - 1]?.status
      expect(before === undefined || canReach(before, status), `job ${job_id} went from ${before} to ${status}`)
    })
  }
  for (const order of orders) {
    for (const [one, next] of inOrder(order)) {
      const [before, after] = [one.shown.body, next.shown.body]
      const calls = `calls ${one.number} and ${next.number}`
      expect(
        canReach(before.status, after.status),
        `${order.request.name} was shown as ${before.status}, then ${after.status} (${calls})`,
      )
      expect(
        before.result_count <= after.result_count,
        `${order.request.name} was shown with ${before.result_count} places, then ${after.result_count} (${calls})`,
      )
    }
  }
  return violations
}

/** Pairs of reads of which one had ended when the other began. */
function inOrder(order: Order) {
  const reads = order.calls
    .filter(({ action, outcome }) => action === 'read' && outcome === 'ok')
    .map(({ number, begun, ended, answer }) => ({ number, begun, ended, shown: Shown.parse(answer) }))
  return reads.flatMap((one, index) =>
    reads.slice(index + 1).flatMap((next) => (one.ended < next.begun ? [[one, next] as const] : [])),
  )
}
