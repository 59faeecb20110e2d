import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildImage, docker, hasEngine, ROOT } from './containers.ts'

const FILES = 'deploy/compose'

/** The command of Compose: a plug-in of the engine, or the older program of its own. */
const COMMAND = hasCommand('docker', 'compose') ? ['docker', 'compose'] : ['docker-compose']

/** Whether Compose and an engine are here, and the engine reaches the images that the files name. */
export const hasCompose =
  hasEngine &&
  hasCommand(...COMMAND) &&
  ['mongo:8.0', 'nats:2.14-alpine'].every((image) => docker('pull', '-q', image).status === 0)

function hasCommand(program = '', ...args: string[]): boolean {
  return spawnSync(program, [...args, 'version']).status === 0
}

export type Deployment = {
  compose(...args: string[]): SpawnSyncReturns<string>
  /** Starts what is missing and waits for its health checks. */
  up(...args: string[]): void
  /** Kills the container of a service. */
  kill(service: string): void
}

/** Returns a deployment of some Compose files, which goes with the test. */
export function deployment(port: number, ...overlays: string[]): Deployment {
  const files = ['compose.yaml', ...overlays].map((file) => join(ROOT, FILES, file))
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `placefleet-${randomUUID().slice(0, 8)}`,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECCOMP: join(ROOT, 'deploy/images/seccomp-chromium.json'),
    PLACEFLEET_COORDINATOR: buildImage('coordinator'),
    PLACEFLEET_CITY: buildImage('coordinator'),
    PLACEFLEET_AGENT: buildImage('agent'),
  }
  const [program = '', ...before] = COMMAND
  const options = files.flatMap((file) => ['-f', file])
  const compose = (...args: string[]) =>
    spawnSync(program, [...before, ...options, ...args], { encoding: 'utf8', env, cwd: ROOT })
  onTestFinished(() => void compose('down', '--volumes', '--timeout', '1'))
  return {
    compose,
    up(...args) {
      const { status, stderr } = compose('up', '-d', '--no-build', ...args)
      if (status === 0) return
      throw new Error(`the deployment does not start: ${stderr}\n${compose('logs', '--tail', '20').stdout}`)
    },
    kill(service) {
      docker('kill', compose('ps', '-q', service).stdout.trim())
    },
  }
}
