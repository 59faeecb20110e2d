import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a process is started, each time. */
export type ChildSpec = {
  name: string
  command: string
  args: readonly string[]
  env: Record<string, string>
  logFile: string
  /** What stdout is for: the log by default. */
  stdout?: 'pipe'
}

/** How a process ended. `log`: what it wrote to its log file; empty when it had another one. */
export type Exit = {
  at: number
  lived_ms: number
  code: number | null
  signal: NodeJS.Signals | null
  asked: boolean
  log: string
}

/**
 * A process that is restarted whenever it ends, as by a service manager, until it is stopped. It records exits:
 * unrequested exits are crashes.
 */
export type Child = {
  name: string
  pid(): number
  running(): boolean
  exits: readonly Exit[]
  starts(): number
  /** Milliseconds since the present process was started. */
  uptimeMs(): number
  /** kill -9; started again after the pause. */
  kill(pauseMs: number): Promise<void>
  /** SIGTERM; started again after the pause. Resolves when it is gone, killed if need be. */
  restart(pauseMs: number, withinMs: number): Promise<Exit | undefined>
  /** Waits so long at most for it to end. Until it is started again, a SIGKILL counts as asked for. */
  mayDie(withinMs: number): Promise<void>
  freeze(): void
  thaw(): void
  signal(signal: NodeJS.Signals): void
  /** SIGTERM for good, SIGKILL when that takes too long. */
  end(withinMs: number): Promise<Exit | undefined>
  logTail(lines?: number): string
}

const RESTART_MS = 500

/** Starts a process and keeps it running. */
export function startChild(spec: ChildSpec, onStdout: (text: string) => void = () => undefined): Child {
  const exits: Exit[] = []
  let process_: ChildProcess | undefined
  let starts = 0
  let asked = false
  let maySelfKill = false
  let ended = false
  let pauseMs = RESTART_MS
  let startedAt = 0
  let logStart = 0

  const logged = () => (existsSync(spec.logFile) ? readFileSync(spec.logFile) : Buffer.alloc(0))
  const start = () => {
    asked = false
    maySelfKill = false
    startedAt = performance.now()
    starts += 1
    logStart = logged().length
    const log = openSync(spec.logFile, 'a', 0o600)
    const child = spawn(spec.command, spec.args, {
      env: spec.env,
      stdio: ['ignore', spec.stdout ?? log, log],
    })
    closeSync(log)
    child.stdout?.on('data', (chunk: Buffer) => onStdout(chunk.toString()))
    child.once('exit', (code, signal) => void exited(code, signal))
    process_ = child
  }
  const exited = async (code: number | null, signal: NodeJS.Signals | null) => {
    asked ||= maySelfKill && signal === 'SIGKILL'
    const log = logged().subarray(logStart).toString()
    exits.push({ at: Date.now(), lived_ms: performance.now() - startedAt, code, signal, asked, log })
    const pause = asked ? pauseMs : RESTART_MS
    await sleep(pause)
    if (!ended) start()
  }
  const isUp = () => process_ !== undefined && process_.exitCode === null && process_.signalCode === null
  const send = (signal: NodeJS.Signals) => void (isUp() && process_?.kill(signal))
  const stop = async (withinMs: number): Promise<Exit | undefined> => {
    if (!isUp() || !process_) return undefined
    asked = true
    const gone = once(process_, 'exit')
    send('SIGTERM')
    send('SIGCONT')
    const timer = setTimeout(() => send('SIGKILL'), withinMs)
    await gone
    clearTimeout(timer)
    return exits.at(-1)
  }

  process.once('exit', () => send('SIGKILL')) // whatever ends us, nothing of the fleet stays
  start()
  return {
    name: spec.name,
    pid: () => process_?.pid ?? 0,
    running: isUp,
    exits,
    starts: () => starts,
    uptimeMs: () => performance.now() - startedAt,
    async kill(pause) {
      if (!isUp() || !process_) return
      asked = true
      pauseMs = pause
      const gone = once(process_, 'exit')
      send('SIGKILL')
      await gone
    },
    restart(pause, withinMs) {
      pauseMs = pause
      return stop(withinMs)
    },
    async mayDie(withinMs) {
      if (!isUp() || !process_) return
      const waited = new AbortController()
      pauseMs = RESTART_MS
      maySelfKill = true
      const { signal } = waited
      await Promise.race([once(process_, 'exit', { signal }), sleep(withinMs, undefined, { signal })])
      waited.abort()
    },
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    signal: send,
    end(withinMs) {
      ended = true
      return stop(withinMs)
    },
    logTail: (lines = 12) => logged().toString().trimEnd().split('\n').slice(-lines).join('\n'),
  }
}
