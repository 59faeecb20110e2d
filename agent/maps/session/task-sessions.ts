import { canFail } from '@placefleet/shared/log'
import type { ProxyHealths } from '../../proxies/health.ts'
import type { ProxyVerdict } from '../../proxies/rotation.ts'
import { createVisitor, type Visitor, type VisitorSettings } from './map-session.ts'
import type { Patience } from './retry.ts'

/** The visitors of one task, one at a time: it stays with one way out until that is blocked or fails. */
export type Visitors = {
  /** How many ways out there are: the proxies, or one without any. */
  readonly ways: number
  readonly proxied: boolean
  current(): Visitor
  /** Notes that a visitor was answered. */
  works(visitor: Visitor): void
  /** Goes on to the next proxy, unless somebody has already left this visitor. No verdict says nothing of its proxy. */
  moveOn(from: Visitor, verdict: ProxyVerdict | undefined): void
  close(): Promise<void>
}

/** How often a question is asked over the only way out. */
const ONLY_WAY: Patience = { tries: 3, timeouts: true }
/** Where another way is at hand, moving on is quicker than waiting for a silent proxy again. */
const ONE_OF_MANY: Patience = { tries: 2, timeouts: false }

/** The visitors of a task, over its proxies in the order of their health, or directly when it has none. */
export function createVisitors(
  settings: VisitorSettings,
  healths: ProxyHealths,
  { task_id, proxies }: { task_id: string; proxies: readonly string[] },
): Visitors {
  const order = proxies.length === 0 ? [undefined] : healths.order(task_id, proxies)
  const patience = order.length > 1 ? ONE_OF_MANY : ONLY_WAY
  const opened: Visitor[] = []
  let position = 0
  const open = () => {
    const visitor = createVisitor(settings, order[position % order.length], patience)
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
      if (from.proxy !== undefined && verdict) healths.report(from.proxy, verdict)
      if (from !== current || order.length === 1) return
      position++
      current = undefined
    },
    async close() {
      await Promise.all(opened.map((visitor) => canFail(settings.log, 'closing a visitor', visitor.close())))
    },
  }
}
