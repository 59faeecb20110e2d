import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from '@placefleet/shared/log'
import { backoffMs, delay } from '@placefleet/shared/timing'
import { PROGRAMS } from '../../bin/programs.mjs'

const ROOT = join(import.meta.dirname, '..', '..')

/** An agent that ran this long is not in a crash loop: it is restarted at once. */
const STEADY_MS = 60_000

/** An agent takes at most 10 s to finish or hand back its tasks. */
const STOP_WITHIN_MS = 12_000

/** An agent in a separate process, so that its load and its crashes do not affect the API. */
type AgentProcess = { readonly pid: number | undefined; stop(): Promise<void> }

/** Starts an agent and restarts it with backoff whenever it ends before `stop`. It ends with this process. */
export function startAgentProcess(env: NodeJS.ProcessEnv, log: Logger): AgentProcess {
  const stopping = new AbortController()
  let child = spawnAgent(env)

  const keepRunning = async () => {
    for (let failures = 1; !stopping.signal.aborted; failures++) {
      const started = performance.now()
      const [code, signal] = await exitOf(child)
      if (performance.now() - started > STEADY_MS) failures = 1
      if (stopping.signal.aborted) return
      log.warn({ code, signal }, 'the agent ended; restarting it')
      await delay(backoffMs(failures, 200, 10_000), stopping.signal)
      if (!stopping.signal.aborted) child = spawnAgent(env)
    }
  }
  const running = keepRunning()

  return {
    get pid() {
      return child.pid
    },
    async stop() {
      stopping.abort()
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await exitOf(child)
      clearTimeout(timer)
      await running
    },
  }
}

/**
 * Starts the agent's process. When the IPC channel closes, the agent knows that this process ended, even by SIGKILL.
 * Ctrl-C does not reach the agent's process group; `stop` ends it.
 */
function spawnAgent(env: NodeJS.ProcessEnv): ChildProcess {
  const { main, flags, env: defaults } = PROGRAMS.agent
  return spawn(process.execPath, [...flags, join(ROOT, main)], {
    env: { ...defaults, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
}

async function exitOf(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return [child.exitCode, child.signalCode]
}
