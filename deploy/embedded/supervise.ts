import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullDisk } from '@placefleet/shared/full-disk'
import type { Logger } from '@placefleet/shared/log'
import { backoffMs } from '@placefleet/shared/timing'
import { type ServerSpec, startTied, type TiedProcess } from './tied-process.ts'

/** A supervised server. `pid` is its current process; `stop` may be called twice. */
type Supervised = { readonly pid: number; stop(): Promise<void> }

/** A server to connect to. `pid` is undefined when we did not start it; `stop` may be called twice. */
export type EmbeddedServer = { url: string; readonly pid: number | undefined; stop(): Promise<void> }

const STEADY_AFTER_MS = 10_000 // a server that runs this long is not in a crash loop

/**
 * Starts the server and restarts it with backoff whenever it ends before `stop`. `stop` resolves when the server has
 * ended, and removes its `runDir`.
 * @throws Error when the first start fails.
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
      log.warn([`${spec.name} ended (${how}); restarting it.`, await fullDisk(spec.dataDir)].join(' ').trim())
      server = (await startAgain(failures++)) ?? server
    }
  }

  async function startAgain(failures: number): Promise<TiedProcess | undefined> {
    try {
      const pause = failures === 0 ? 0 : backoffMs(failures, 100, 5_000)
      await sleep(pause, undefined, { signal: stopping.signal })
      return await startTied(spec, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, `restarting ${spec.name} failed; retrying`)
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
