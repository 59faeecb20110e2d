import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort } from '../../harness/network/free-port.ts'
import { until } from '../../harness/until.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** What `npm start` tells its user. */
export type Started = {
  url: string
  /** The sign-in link of this start. It works once. */
  signInLink: string
  /** All that it has printed, which is no terminal. */
  output: string
}

/**
 * Runs `npm start` on a new data directory and free ports, and waits until it answers. It is stopped, and the directory
 * removed, after the file.
 */
export async function npmStart(settings: Record<string, string>): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-console-'))
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      GRPC_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'exit')
  afterAll(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const started = () => {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    return startedIn(out)
  }
  return until('`npm start` says where it answers', started).catch((cause: Error) => {
    child.kill('SIGTERM') // a file that fails while it is loaded has no end
    throw new Error(`${cause.message}\n${err}`, { cause })
  })
}

/** Returns what the output says; undefined until all of it is there. */
function startedIn(out: string): Started | undefined {
  const url = /^Placefleet answers at (\S+)/m.exec(out)?.[1]
  const linkFile = /^A link to sign in to the console is in (.+)\n/m.exec(out)?.[1]
  return url && linkFile ? { url, signInLink: readFileSync(linkFile, 'utf8').trim(), output: out } : undefined
}
