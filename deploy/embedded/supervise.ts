import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@placefleet/shared/log'
import { backoffMs } from '@placefleet/shared/timing'
import { type ServerSpec, startTied, type TiedProcess } from './tied-process.ts'

/** A server kept running. `pid` is that of the process running now; `stop` may be called twice. */
export type Supervised = { readonly pid: number; stop(): Promise<void> }

/** A server to connect to. `pid` is its process, undefined when it is not ours; `stop` may be called twice. */
export type EmbeddedServer = { url: string; readonly pid: number | undefined; stop(): Promise<void> }

const STEADY_AFTER_MS = 10_000 // a server that lived this long is not in a crash loop

/**
 * Starts the server, and starts it again, ever more slowly, whenever it ends before `stop`. Throws when the first
 * start fails. `stop` resolves when the server is gone, and removes its `runDir`.
 */
export async function supervise(spec: ServerSpec, log: Logger): Promise<Supervised> {
  const stopping = new AbortController()
  rmSync(spec.logFile, { force: true })
  let server = await startTied(spec)
  const stopped = keepRunning()

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const watchedFrom = performance.now()
      const how = await server.exited
      if (stopping.signal.aborted) return
      if (performance.now() - watchedFrom > STEADY_AFTER_MS) failures = 0
      log.warn(`${spec.name} is down (${how}); starting it again`)
      server = (await startAgain(failures++)) ?? server
    }
  }

  async function startAgain(failures: number): Promise<TiedProcess | undefined> {
    try {
      const pause = failures === 0 ? 0 : backoffMs(failures, 100, 5_000)
      await sleep(pause, undefined, { signal: stopping.signal })
      return await startTied(spec, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, `${spec.name} did not start again`)
      return undefined
    }
  }

  return {
    get pid() {
      return server.pid
    },
    async stop() {
      stopping.abort()
      await server.end()
      await stopped
      await server.end()
      rmSync(spec.runDir, { recursive: true, force: true })
    },
  }
}
