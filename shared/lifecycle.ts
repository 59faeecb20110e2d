import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'

type Closing = { name: string; close: () => Promise<unknown> | unknown }

/** What a process has opened, closed newest first. */
export type Lifecycle = {
  /** Registers the closing of something on the line that opens it, and gives it back. */
  own<Thing>(name: string, thing: Thing, close: (thing: Thing) => Promise<unknown> | unknown): Thing
  /** Closes everything, newest first. A failing close is logged and the rest is closed all the same. May be called twice. */
  close(): Promise<void>
}

/** An empty lifecycle. */
export function createLifecycle(log: Logger): Lifecycle {
  const owned: Closing[] = []
  let closed: Promise<void> | undefined
  const closeAll = async () => {
    for (const { name, close } of owned.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        log.error({ err: error }, `closing ${name} failed`)
      }
    }
  }
  return {
    own(name, thing, close) {
      owned.push({ name, close: () => close(thing) })
      return thing
    },
    close: () => (closed ??= closeAll()),
  }
}

/** A background service that can be ended, and woken before its time. */
export type Loop = { stop(): Promise<void>; wake(): void }

/**
 * Runs `once` again and again, `intervalMs` apart, until stopped. A failure is logged and the loop goes on. `stop`
 * waits for the run under way, whose signal is aborted.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Logger,
  once: (signal: AbortSignal) => Promise<unknown>,
): Loop {
  const stopping = new AbortController()
  let waking = new AbortController()
  const pause = async () => {
    const signal = AbortSignal.any([stopping.signal, waking.signal])
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined)
    waking = new AbortController()
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await once(stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, `${name} failed; it will be tried again`)
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

/** Why a process stops: a signal, or the end of the process that started it. */
export type StopReason = NodeJS.Signals | 'parent gone'

const PARENT_POLL_MS = 500

/**
 * Resolves with the first reason to stop. A second signal ends the process at once. The end of the parent counts when
 * that is one of ours (it left an IPC channel) or npm, which dies of a SIGKILL without telling anybody.
 */
export function stopSignal(): Promise<StopReason> {
  return new Promise((resolve) => {
    let seen = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (seen) process.exit(130)
      seen = true
      process.channel?.unref() // an open channel would keep a process alive that has nothing left to do
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    if (process.channel) process.once('disconnect', () => resolve('parent gone'))
    else if (process.env.npm_lifecycle_event) whenOrphaned(() => resolve('parent gone'))
  })
}

function whenOrphaned(orphaned: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    orphaned()
  }, PARENT_POLL_MS)
  timer.unref() // watching is no reason to stay alive
}
