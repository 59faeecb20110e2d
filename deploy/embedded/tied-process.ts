import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullDisk } from '@placefleet/shared/full-disk'

/** The start of one server. */
export type ServerSpec = {
  /** The name in messages, e.g. "The NATS server". */
  name: string
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Where the server keeps its data. Without room there it ends. */
  dataDir: string
  /** The private directory of this server, see `socketDir`. */
  runDir: string
  /** Receives the server's output; its last lines explain a failed start. */
  logFile: string
  /** Returns whether the server answers. Polled until it does. */
  isReady(pid: number): Promise<boolean>
}

/** A running server. `exited` resolves with the reason of its end ("code 1", "signal SIGKILL"). */
export type TiedProcess = { pid: number; exited: Promise<string>; end(): Promise<void> }

const READY_WITHIN_MS = 120_000 // recovery of a large database after a crash
const GONE_WITHIN_MS = 20_000 // longer than END_WITHIN_MS
const END_WITHIN_MS = 15_000
const POLL_MS = 15

/**
 * A shell script that becomes the server by `exec`, so that the server has the child's pid. Before that it opens a FIFO
 * as fd 4, which stays open while the server lives, and starts a watcher that reads from fd 3, a socket to us. End of
 * file on the socket means that our process has ended, even by SIGKILL; then the watcher ends the server. A line means
 * that the server has ended.
 */
const TIE = `
exec 4<>"$1"
shift
{ read -r line <&3 || kill -TERM $$; } 4>&- &
exec 3<&-
exec "$@"`

/**
 * Starts a server that cannot outlive this process, and waits until it is ready. First it waits until the server of an
 * earlier run on the same `runDir` has ended, because two servers on one directory would corrupt it.
 * @throws Error with the server's last output when it does not become ready, or the reason of `signal`; then no server
 * is left running.
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
    detached: true, // Ctrl-C reaches a whole process group, but we stop the servers in order
  })
  closeSync(log)
  const tie = child.stdio[3]
  if (!(tie instanceof Duplex)) throw new Error(`${spec.name} has no socket to its watcher`)
  child.once('exit', () => tie.end('over\n'))
  // Without its watcher the server could outlive us, so it is ended now and restarted with a new watcher.
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
    if (ended) throw await notStarted(spec, ended)
    if (performance.now() > deadline) throw new Error(`${spec.name} did not answer in ${READY_WITHIN_MS / 1000} s`)
    await sleep(POLL_MS)
  }
}

async function notStarted({ name, dataDir, logFile }: ServerSpec, how: string): Promise<Error> {
  const why = [await fullDisk(dataDir), lastLines(logFile)].filter((text) => text !== undefined)
  return new Error(`${name} did not start (${how}). ${why.join(' ')}`)
}

function lastLines(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12)
  return `Its last output, from ${logFile}:\n${lines.join('\n')}`
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
      throw new Error(`${spec.name} of an earlier run is still running and does not end. Stop it, then start again.`)
    }
    await sleep(POLL_MS)
  }
}

/**
 * Returns whether a process has the FIFO open for writing: then reading fails with EAGAIN, otherwise it returns end of
 * file.
 */
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

/**
 * Returns the absolute path of a program on the PATH of `env`, or undefined. Relative entries of the PATH are skipped.
 */
export function findOnPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((dir) => join(dir, program))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // missing, or not readable for this user
  }
}
