import { useSyncExternalStore } from 'react'

/** Answers have their time in whole seconds, and take a moment. A smaller difference is no difference. */
const EXACT_MS = 2_000

/** A clock that follows the answers of the coordinator, so that a wrong clock of this machine does no harm. */
export function createClock(machine: () => number = Date.now) {
  let ahead = 0
  return {
    now: () => machine() + ahead,
    /** Reads the header `Date` of an answer that has just come. */
    read(date: string | null): void {
      const difference = Date.parse(date ?? '') + 500 - machine()
      if (!Number.isNaN(difference)) ahead = Math.abs(difference) < EXACT_MS ? 0 : difference
    },
  }
}

export const serverClock = createClock()

/** The present time in steps of `everyMs`. One timer serves all its listeners, and none runs without a listener. */
export function createTicker(everyMs: number, now: () => number) {
  const listeners = new Set<() => void>()
  let time = now()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    time = now()
    for (const listener of listeners) listener()
  }
  return {
    time: () => time,
    subscribe(listener: () => void) {
      listeners.add(listener)
      if (timer === undefined) {
        time = now()
        timer = setInterval(tick, everyMs)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

type Ticker = ReturnType<typeof createTicker>

const useTicker = ({ subscribe, time }: Ticker): number => useSyncExternalStore(subscribe, time)

const halfMinutes = createTicker(30_000, serverClock.now)
const seconds = createTicker(1_000, serverClock.now)

/** Returns the present time, to half a minute. */
export const useHalfMinutes = (): number => useTicker(halfMinutes)

/** Returns the present time, to the second. */
export const useSeconds = (): number => useTicker(seconds)
