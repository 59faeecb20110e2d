import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildImage, docker, hasEngine, ROOT } from './containers.ts'

const FILES = 'deploy/compose'

/** The command of Compose: a plug-in of the engine, or the older program of its own. */
const COMMAND = hasCommand('docker', 'compose') ? ['docker', 'compose'] : ['docker-compose']

/** Whether Compose and an engine are here. */
export const hasCompose = hasEngine && hasCommand(...COMMAND)

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
  const isReachable =
    docker('pull', '-q', 'mongo:8.0').status === 0 && docker('pull', '-q', 'nats:2.14-alpine').status === 0
  const files = ['compose.yaml', ...overlays].map((file) => join(ROOT, FILES, file))
  const stands = isReachable ? [] : [join(ROOT, 'test/deploy/engine/compose.stand-ins.yaml')]
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `placefleet-${randomUUID().slice(0, 8)}`,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECCOMP: join(ROOT, 'deploy/images/seccomp-chromium.json'),
    PLACEFLEET_COORDINATOR: buildImage('coordinator'),
    PLACEFLEET_CITY: buildImage('coordinator'),
    PLACEFLEET_AGENT: buildImage('agent'),
    ...(isReachable ? {} : standInEnv()),
  }
  const [program = '', ...before] = COMMAND
  const options = [...files, ...stands].flatMap((file) => ['-f', file])
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

const standInEnv = () => ({
  BASE: process.env.BASE ?? 'node:24-trixie-slim',
  CHECKOUT: ROOT,
  NATS_SERVER: createRequire(join(ROOT, 'deploy/package.json')).resolve('@lagz0ne/nats-embedded-linux-x64/nats-server'),
  MONGODB_URL: 'mongodb://mongo:27017/placefleet?directConnection=true',
})
