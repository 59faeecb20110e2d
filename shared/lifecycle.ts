import type { Logger } from './log.ts'
import { delay, inTime, monotonicNow } from './timing.ts'

type Closing = { name: string; close: () => Promise<unknown> | unknown }

/** The resources that a process has opened. They are closed newest first. */
export type Lifecycle = {
  /** Registers how to close `thing`, and returns it. Call it on the line that opens the thing. */
  own<Thing>(name: string, thing: Thing, close: (thing: Thing) => Promise<unknown> | unknown): Thing
  /** Closes everything, newest first. Logs a failing close and continues with the rest. May be called twice. */
  close(): Promise<void>
  /**
   * Does the same. Each part may take what remains of the time, and is then left behind.
   * @returns whether every part was closed. Otherwise the process must be ended.
   */
  closeWithin(ms: number): Promise<boolean>
}

export function createLifecycle(log: Logger): Lifecycle {
  const owned: Closing[] = []
  let closed: Promise<boolean> | undefined
  const closeOne = async ({ name, close }: Closing): Promise<true> => {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, `closing ${name} failed`)
    }
    return true
  }
  const closeAll = async (withinMs?: number) => {
    const end = withinMs === undefined ? undefined : monotonicNow() + withinMs
    let isWhole = true
    for (const part of owned.splice(0).reverse()) {
      if (await doneBy(closeOne(part), end)) continue
      log.warn(`closing ${part.name} takes too long; the process ends without it`)
      isWhole = false
    }
    return isWhole
  }
  const closeWithin = (ms?: number) => (closed ??= closeAll(ms))
  return {
    own(name, thing, close) {
      owned.push({ name, close: () => close(thing) })
      return thing
    },
    closeWithin,
    close: async () => void (await closeWithin()),
  }
}

/** Waits for work until a time, if there is one. Returns whether it was done. */
const doneBy = async (work: Promise<true>, end: number | undefined): Promise<boolean> =>
  end === undefined ? work : ((await inTime(work, Math.max(0, end - monotonicNow()))) ?? false)

/** A background loop. `wake` starts the next run at once. */
export type Loop = { stop(): Promise<void>; wake(): void }

/** How often a loop logs a failure that lasts: each line has a stack, and a coordinator has many loops. */
const REPEAT_LOG_MS = 60_000

/** Logs the failures of a loop: a new one at once, one that lasts every minute with its count, and its end. */
function failureLog(name: string, log: Logger) {
  let failures = 0
  let last: { message: string; at: number } | undefined
  return {
    failed(error: unknown) {
      failures++
      const message = String(error)
      if (last?.message === message && monotonicNow() - last.at < REPEAT_LOG_MS) return
      last = { message, at: monotonicNow() }
      log.error({ err: error, failures }, `${name} failed; retrying`)
    },
    worked() {
      if (failures > 0) log.info({ failures }, `${name} works again`)
      failures = 0
      last = undefined
    },
  }
}

/**
 * Runs `once` every `intervalMs` until stopped. A failure is logged, and the loop continues. `stop` aborts the signal
 * of the current run and waits for it.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Logger,
  once: (signal: AbortSignal) => Promise<unknown>,
): Loop {
  const stopping = new AbortController()
  let waking = new AbortController()
  const failures = failureLog(name, log)
  const pause = async () => {
    const signal = AbortSignal.any([stopping.signal, waking.signal])
    await delay(intervalMs, signal)
    waking = new AbortController()
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await once(stopping.signal)
        failures.worked()
      } catch (error) {
        if (!stopping.signal.aborted) failures.failed(error)
      }
      await pause()
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
    wake: () => waking.abort(),
  }
}

/** Why a process stops: a signal, or the end of its parent process. */
export type StopReason = NodeJS.Signals | 'parent gone'

/**
 * Resolves with the first reason to stop. A second signal ends the process at once. The end of the parent process
 * counts when it is one of our programs: then there is an IPC channel.
 */
export function stopSignal(): Promise<StopReason> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(130)
      isStopping = true
      process.channel?.unref() // an open channel would keep the process alive
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    if (process.channel) process.once('disconnect', () => resolve('parent gone'))
  })
}
