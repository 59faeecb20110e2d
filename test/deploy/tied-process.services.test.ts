import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerSpec, startTied } from '@placefleet/deploy/embedded/tied-process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { descendants, isRunning } from '../harness/running-processes.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const IN_TIME = { timeout: 20_000, interval: 20 }

const onLinux = unlessLacking('Linux', process.platform === 'linux')

/** Returns a server that is ready once it has made a file. */
function program(script: string): ServerSpec {
  const dir = temporaryDir()
  const ready = join(dir, 'ready')
  return {
    name: 'The server',
    command: '/bin/sh',
    args: ['-c', script, 'sh', ready],
    env: process.env,
    dataDir: dir,
    runDir: dir,
    logFile: join(dir, 'server.log'),
    isReady: async () => existsSync(ready),
  }
}

test('a server that does not start is an error with its last words', async () => {
  const spec = program('echo no room left on this disk >&2; exit 3')
  await expect(startTied(spec)).rejects.toThrow(/The server did not start \(code 3\).*no room left on this disk/s)
})

test('a program that does not exist is an error', async () => {
  const spec = { ...program(''), command: '/nowhere/server' }
  await expect(startTied(spec)).rejects.toThrow('/nowhere/server')
})

onLinux.test('an aborted start leaves nothing running', async () => {
  const before = descendants(process.pid)
  const giveUp = new AbortController()
  const spec = program('exec sleep 1000')
  const isReady = async () => {
    giveUp.abort()
    return false
  }
  await expect(startTied({ ...spec, isReady }, giveUp.signal)).rejects.toThrow('aborted')
  const running = () => descendants(process.pid).filter((pid) => !before.includes(pid) && isRunning(pid))
  await vi.waitFor(() => expect(running()).toEqual([]), IN_TIME)
})

test('a server is not started while one of an earlier run holds its directory', async () => {
  const spec = program('echo > "$1"; exec sleep 1000')
  const fifo = join(spec.runDir, 'alive')
  execFileSync('mkfifo', [fifo])
  const earlier = spawn('/bin/sh', ['-c', 'exec 4<>"$0"; echo held; read -r line', fifo])
  await once(earlier.stdout, 'data')
  await expect(startTied(spec, AbortSignal.timeout(100))).rejects.toThrow('timeout')
  expect(existsSync(join(spec.runDir, 'ready'))).toBe(false)
  earlier.stdin.end()
  const server = await startTied(spec)
  onTestFinished(server.end)
  expect(existsSync(join(spec.runDir, 'ready'))).toBe(true)
})

onLinux.test('a server whose watcher was killed is ended', async () => {
  const server = await startTied(program('echo > "$1"; exec sleep 1000'))
  for (const watcher of descendants(server.pid)) process.kill(watcher, 'SIGKILL')
  expect(await server.exited).toBe('signal SIGTERM')
})
