import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is needed to start one server. */
export type ServerSpec = {
  /** For people, as in "the NATS server". */
  name: string
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** A private directory of this server alone, see `socketDir`. */
  runDir: string
  /** Takes what the server prints; its last lines explain a failed start. */
  logFile: string
  /** True once the server answers; asked again and again until then. */
  isReady(pid: number): Promise<boolean>
}

/** A server that answered. `exited` resolves with how it ended ("code 1", "signal SIGKILL"). */
export type TiedProcess = { pid: number; exited: Promise<string>; end(): Promise<void> }

const READY_WITHIN_MS = 120_000 // recovery of a large database after a crash
const GONE_WITHIN_MS = 20_000 // longer than END_WITHIN_MS
const END_WITHIN_MS = 15_000
const POLL_MS = 15

/**
 * Becomes the server by exec, so that its pid is the child's. Before that it leaves two things behind:
 * fd 4, a FIFO that the server keeps open for as long as it lives (the kernel's own word for "still running"), and
 * a watcher that waits on fd 3, a socket to us. The end of file there means we are gone, by SIGKILL too, and ends
 * the server; a line means the server is gone and there is nothing to do.
 */
const TIE = `
exec 4<>"$1"
shift
{ read -r line <&3 || kill -TERM $$; } 4>&- &
exec 3<&-
exec "$@"`

/**
 * Starts a server that cannot outlive this process, and waits until it answers. It first waits until the server of
 * an earlier run on the same `runDir` is gone, since two on one directory would spoil it.
 * Throws with the last lines the server printed when it does not come up, and when `signal` fires; nothing is left running then.
 */
export async function startTied(spec: ServerSpec, signal?: AbortSignal): Promise<TiedProcess> {
  const fifo = aliveFifo(spec.runDir)
  await earlierServerGone(spec, fifo, signal)
  const child = spawnTied(spec, fifo)
  const server = { pid: child.pid ?? 0, exited: exitOf(child), end: () => endChild(child) }
  try {
    await untilReady(spec, server, signal)
    return server
  } catch (error) {
    await server.end()
    throw error
  }
}

function spawnTied(spec: ServerSpec, fifo: string): ChildProcess {
  const log = openSync(spec.logFile, 'a', 0o600)
  const child = spawn('/bin/sh', ['-c', TIE, 'sh', fifo, spec.command, ...spec.args], {
    env: spec.env,
    stdio: ['ignore', log, log, 'pipe'],
    detached: true, // Ctrl-C reaches the whole group, and it is ours to decide in which order things end
  })
  closeSync(log)
  const tie = child.stdio[3]
  if (!(tie instanceof Duplex)) throw new Error(`${spec.name} has no socket to its watcher`)
  child.once('exit', () => tie.end('over\n'))
  // The watcher is gone: nothing would end the server after us, so end it now; it is started again with a new watcher.
  tie.on('error', () => child.kill('SIGTERM')).on('close', () => child.kill('SIGTERM'))
  tie.resume()
  return child
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
  })
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
  await exit
  clearTimeout(timer)
}

async function untilReady(spec: ServerSpec, server: TiedProcess, signal?: AbortSignal): Promise<void> {
  let ended: string | undefined
  void server.exited.then((how) => {
    ended = how
  })
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await spec.isReady(server.pid))) {
    signal?.throwIfAborted()
    if (ended) throw new Error(`${spec.name} did not start (${ended}). ${lastLines(spec.logFile)}`)
    if (performance.now() > deadline) throw new Error(`${spec.name} did not answer in ${READY_WITHIN_MS / 1000} s`)
    await sleep(POLL_MS)
  }
}

function lastLines(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12)
  return `Its last words, from ${logFile}:\n${lines.join('\n')}`
}

function aliveFifo(runDir: string): string {
  const fifo = join(runDir, 'alive')
  if (!existsSync(fifo)) execFileSync('mkfifo', ['-m', '600', fifo])
  return fifo
}

async function earlierServerGone(spec: ServerSpec, fifo: string, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS
  while (isHeldOpen(fifo)) {
    signal?.throwIfAborted()
    if (performance.now() > deadline) {
      throw new Error(`${spec.name} of an earlier run is still running and does not end. End it, then start again.`)
    }
    await sleep(POLL_MS)
  }
}

/** Reading from a FIFO says "end of file" when no process has it open for writing, and "try again" when one has. */
function isHeldOpen(fifo: string): boolean {
  const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return readSync(fd, Buffer.alloc(1)) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return true
    throw error
  } finally {
    closeSync(fd)
  }
}
