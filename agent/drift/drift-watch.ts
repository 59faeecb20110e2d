import type { Logger } from '@placefleet/shared/log'
import { MAX_DRIFTED, MAX_DRIFTED_TEXT } from '@placefleet/shared/protocol'
import { createDriftAlarm, type DriftAlarm } from './drift-alarm.ts'

/** Watches what the map site answers to tasks, by where they send their requests from. */
export type DriftWatch = {
  /** The alarm of all tasks with these proxies; without proxies, of all tasks with the agent's own address. */
  of(proxies: readonly string[]): DriftAlarm
  /** The paths that the map site no longer gives, as many and as much of each as a report takes. */
  drifted(): string[]
}

/** The same path must be missing behind so many lists of proxies: one user's proxies may get trimmed answers only. */
const WITNESSES = 2
/** Lists of proxies that are remembered, the last used ones. */
const LISTS = 50

/**
 * Creates a watch. A path has drifted when the agent's own address no longer gets it, or when two lists of proxies do not. So one user
 * with a bad proxy wakes nobody.
 */
export function createDriftWatch(log: Logger, onDrift: (path: string) => void): DriftWatch {
  const own = createDriftAlarm(log, onDrift)
  const lists = new Map<string, DriftAlarm>()
  const missing = () => {
    const counts = new Map<string, number>()
    for (const path of [...lists.values()].flatMap((alarm) => alarm.drifted()))
      counts.set(path, (counts.get(path) ?? 0) + 1)
    return [...counts].flatMap(([path, count]) => (count >= WITNESSES ? [path] : []))
  }
  return {
    of(proxies) {
      if (proxies.length === 0) return own
      const key = [...proxies].sort().join('\n')
      const alarm = lists.get(key) ?? createDriftAlarm(log, (path) => missing().includes(path) && onDrift(path))
      lists.delete(key)
      lists.set(key, alarm)
      for (const oldest of [...lists.keys()].slice(0, -LISTS)) lists.delete(oldest)
      return alarm
    },
    drifted: () =>
      [...new Set([...own.drifted(), ...missing()])]
        .slice(0, MAX_DRIFTED)
        .map((path) => path.slice(0, MAX_DRIFTED_TEXT)),
  }
}
