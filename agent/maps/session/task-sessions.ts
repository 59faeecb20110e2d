import { canFail } from '@placefleet/shared/log'
import type { ProxyHealths } from '../../proxies/health.ts'
import type { ProxyVerdict } from '../../proxies/rotation.ts'
import { createMapSession, type MapSession, type MapSessionSettings } from './map-session.ts'
import type { RetryPolicy } from './retry.ts'

/** The sessions of one task, one at a time: it stays with one exit out until that is blocked or fails. */
export type TaskSessions = {
  /** How many ways out there are: the proxies, or one without any. */
  readonly exits: number
  readonly proxied: boolean
  current(): MapSession
  /** Notes that a session was answered. */
  works(session: MapSession): void
  /** Goes on to the next proxy, unless somebody has already left this session. No verdict says nothing of its proxy. */
  moveOn(from: MapSession, verdict: ProxyVerdict | undefined): void
  close(): Promise<void>
}

/** How often a question is asked over the only exit out. */
const ONLY_EXIT: RetryPolicy = { tries: 3, timeouts: true }
/** Where another exit is at hand, moving on is quicker than waiting for a silent proxy again. */
const ONE_OF_MANY_EXITS: RetryPolicy = { tries: 2, timeouts: false }

/** The sessions of a task, over its proxies in the order of their health, or directly when it has none. */
export function createTaskSessions(
  settings: MapSessionSettings,
  healths: ProxyHealths,
  { task_id, proxies }: { task_id: string; proxies: readonly string[] },
): TaskSessions {
  const order = proxies.length === 0 ? [undefined] : healths.order(task_id, proxies)
  const retryPolicy = order.length > 1 ? ONE_OF_MANY_EXITS : ONLY_EXIT
  const opened: MapSession[] = []
  let position = 0
  const open = () => {
    const session = createMapSession(settings, order[position % order.length], retryPolicy)
    opened.push(session)
    return session
  }
  let current: MapSession | undefined
  return {
    exits: order.length,
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
      await Promise.all(opened.map((session) => canFail(settings.log, 'closing a session', session.close())))
    },
  }
}
