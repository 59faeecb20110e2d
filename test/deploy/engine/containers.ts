import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createServer, connect as dial } from 'node:net'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { listenOnFreePort } from '../../harness/network/serve.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** The images are built on this base; here the official one by default. */
export const BASE = process.env.BASE ?? 'node:24-trixie-slim'

/** Whether there is a container engine that answers, with a base image to build on. */
export const hasEngine = docker('image', 'inspect', BASE).status === 0 || docker('pull', '-q', BASE).status === 0

/** Runs one command of the engine. */
export function docker(...args: string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, DOCKER_BUILDKIT: '0' } // the builder that every engine has
  return spawnSync('docker', args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 })
}

/** The tag of images that are built already, to test those instead. */
const BUILT_TAG = process.env.IMAGE_TAG

/** Builds the image of one target, and returns its tag. */
export function buildImage(target: string): string {
  if (BUILT_TAG !== undefined) return `placefleet/${target}:${BUILT_TAG}`
  const file = join(ROOT, 'deploy/images/Dockerfile')
  const tag = `placefleet/${target}:test`
  const how = ['--network', 'host', '--build-arg', `BASE=${BASE}`, '--target', target]
  const built = docker('build', ...how, '-f', file, '-t', tag, ROOT)
  if (built.status !== 0) throw new Error(`${target} is not built: ${built.stderr.slice(-3_000)}`)
  return tag
}

/** Without a single privilege, and with the filter of system calls that the sandbox of Chromium needs. */
export const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp']
export const SECCOMP = ['--security-opt', `seccomp=${join(ROOT, 'deploy/images/seccomp-chromium.json')}`]

/** Runs a container without a single privilege; it ends with the test. Returns its id. */
export function runHardened(image: string, env: Record<string, string>, options: string[] = []): string {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const started = docker('run', '-d', '--network', 'host', ...HARDENED, ...options, ...variables, image)
  if (started.status !== 0) throw new Error(`${image} does not start: ${started.stderr}`)
  const id = started.stdout.trim()
  onTestFinished(() => void docker('rm', '-f', id))
  return id
}

/** Returns a TCP address for the embedded MongoDB, which listens on a unix socket that no container reaches. */
export async function overTcp(mongoUrl: string): Promise<string> {
  const socket = decodeURIComponent(new URL(mongoUrl).host)
  const server = createServer((client) => {
    const upstream = dial(socket)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    client.pipe(upstream).pipe(client)
    client.on('error', end).on('close', end)
    upstream.on('error', end).on('close', end)
  })
  const { host } = await listenOnFreePort(server)
  return mongoUrl.replace(/\/\/[^/]*\//, `//${host}/`)
}
