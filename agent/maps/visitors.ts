import { canFail } from '@placefleet/shared/log'
import type { ProxyHealths } from '../proxies/health.ts'
import type { ProxyVerdict } from '../proxies/rotation.ts'
import { createVisitor, type Visitor, type VisitorSettings } from './visitor.ts'

/** The visitors of one task, one at a time: it stays with one way out until that is blocked or fails. */
export type Visitors = {
  /** How many ways out there are: the proxies, or one without any. */
  readonly ways: number
  readonly proxied: boolean
  current(): Visitor
  /** Notes that a visitor was answered. */
  works(visitor: Visitor): void
  /** Goes on to the next proxy, unless somebody has already left this visitor. */
  moveOn(from: Visitor, verdict: ProxyVerdict): void
  close(): Promise<void>
}

/** Over the only way out a question is asked so often; where another is at hand, moving on is quicker. */
const TRIES = 3
const TRIES_BEFORE_NEXT_PROXY = 2

/** The visitors of a task, over its proxies in the order of their health, or directly when it has none. */
export function createVisitors(
  settings: VisitorSettings,
  healths: ProxyHealths,
  { task_id, proxies }: { task_id: string; proxies: readonly string[] },
): Visitors {
  const order = proxies.length === 0 ? [undefined] : healths.order(task_id, proxies)
  const tries = order.length > 1 ? TRIES_BEFORE_NEXT_PROXY : TRIES
  const opened: Visitor[] = []
  let position = 0
  const open = () => {
    const visitor = createVisitor(settings, order[position % order.length], tries)
    opened.push(visitor)
    return visitor
  }
  let current: Visitor | undefined
  return {
    ways: order.length,
    proxied: proxies.length > 0,
    current: () => (current ??= open()),
    works({ proxy }) {
      if (proxy !== undefined) healths.report(proxy, 'works')
    },
    moveOn(from, verdict) {
      if (from.proxy !== undefined) healths.report(from.proxy, verdict)
      if (from !== current || order.length === 1) return
      position++
      current = undefined
    },
    async close() {
      await Promise.all(opened.map((visitor) => canFail(settings.log, 'closing a visitor', visitor.close())))
    },
  }
}
