import { judged, orderFor, type ProxyHealth, type ProxyVerdict, UNTRIED } from './rotation.ts'

/** What this agent has seen of its users' proxies, in memory only, for they hold passwords. */
export type ProxyHealths = {
  /** The order in which a task should try its proxies. */
  order(taskId: string, proxies: readonly string[]): string[]
  report(proxy: string, verdict: ProxyVerdict): void
}

const MOST_REMEMBERED = 10_000

/** An empty memory; `now` is the clock in milliseconds. */
export function createProxyHealths(now: () => number = Date.now): ProxyHealths {
  const seen = new Map<string, ProxyHealth>()
  const healthOf = (proxy: string) => seen.get(proxy) ?? UNTRIED
  return {
    order: (taskId, proxies) => orderFor(taskId, proxies, healthOf, now()),
    report(proxy, verdict) {
      const health = judged(healthOf(proxy), verdict, now())
      seen.delete(proxy)
      if (health !== UNTRIED) seen.set(proxy, health)
      const oldest = seen.size > MOST_REMEMBERED ? seen.keys().next().value : undefined
      if (oldest !== undefined) seen.delete(oldest)
    },
  }
}
