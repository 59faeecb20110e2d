import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a process is started, each time. */
type ChildSpec = {
  name: string
  command: string
  args: readonly string[]
  env: Record<string, string>
  logFile: string
}

/** How a process ended. `log`: what it wrote to its log file; empty when it had another one. */
export type Exit = { at: number; lived_ms: number; code: number | null; signal: NodeJS.Signals | null } & {
  asked: boolean
  log: string
}

export type Child = ReturnType<typeof startChild>

const RESTART_MS = 500

/**
 * Starts a process. It is started again whenever it ends, as by a service manager, until it is stopped. It records
 * exits: those that nobody asked for are crashes.
 */
export function startChild(spec: ChildSpec) {
  const exits: Exit[] = []
  let asked = false
  let maySelfKill = false
  let ended = false
  let pauseMs = RESTART_MS
  let startedAt = 0
  let logStart = 0

  const logged = () => (existsSync(spec.logFile) ? readFileSync(spec.logFile) : Buffer.alloc(0))
  const start = (): ChildProcess => {
    asked = false
    maySelfKill = false
    startedAt = performance.now()
    logStart = logged().length
    const log = openSync(spec.logFile, 'a', 0o600)
    const child = spawn(spec.command, spec.args, { env: spec.env, stdio: ['ignore', log, log] })
    closeSync(log)
    child.once('exit', (code, signal) => void exited(code, signal))
    return child
  }
  const exited = async (code: number | null, signal: NodeJS.Signals | null) => {
    asked ||= maySelfKill && signal === 'SIGKILL'
    const log = logged().subarray(logStart).toString()
    exits.push({ at: Date.now(), lived_ms: performance.now() - startedAt, code, signal, asked, log })
    await sleep(asked ? pauseMs : RESTART_MS)
    if (!ended) current = start()
  }
  const running = () => current.exitCode === null && current.signalCode === null
  const signal = (name: NodeJS.Signals) => void (running() && current.kill(name))
  const stop = async (withinMs: number): Promise<Exit | undefined> => {
    if (!running()) return undefined
    asked = true
    const gone = once(current, 'exit')
    signal('SIGTERM')
    signal('SIGCONT')
    const timer = setTimeout(() => signal('SIGKILL'), withinMs)
    await gone
    clearTimeout(timer)
    return exits.at(-1)
  }

  process.once('exit', () => signal('SIGKILL')) // whatever ends us, nothing of the fleet stays
  let current = start()
  return {
    name: spec.name,
    pid: () => current.pid ?? 0,
    running,
    exits: exits as readonly Exit[],
    /** Milliseconds since the present process was started. */
    uptimeMs: () => performance.now() - startedAt,
    signal,
    /** kill -9; started again after the pause. */
    async kill(pause: number): Promise<void> {
      if (!running()) return
      asked = true
      pauseMs = pause
      const gone = once(current, 'exit')
      signal('SIGKILL')
      await gone
    },
    /** SIGTERM; started again after the pause. Resolves when it is gone, killed if need be. */
    restart(pause: number, withinMs: number) {
      pauseMs = pause
      return stop(withinMs)
    },
    /** Waits so long at most for it to end. Until it is started again, a SIGKILL counts as asked for. */
    async mayDie(withinMs: number): Promise<void> {
      if (!running()) return
      const waited = new AbortController()
      pauseMs = RESTART_MS
      maySelfKill = true
      await Promise.race([once(current, 'exit', waited), sleep(withinMs, undefined, waited)])
      waited.abort()
    },
    /** SIGTERM for good, SIGKILL when that takes too long. */
    end(withinMs: number) {
      ended = true
      return stop(withinMs)
    },
    logTail: () => logged().toString().trimEnd().split('\n').slice(-4).join('\n'),
  }
}
