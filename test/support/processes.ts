import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from './client.ts'
import { AGENT_TOKEN, API_KEY, coordinatorEnv, type World } from './fleet.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A process of the product, as an operator would start it. */
export type Running = { pid: number; stderr(): string; kill(signal: NodeJS.Signals): Promise<void> }

/** Starts a script of the repository in a process of its own; it is killed after the test. */
export function startProcess(script: string, env: Record<string, string>): Running {
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, script)], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr: string[] = []
  child.stderr?.on('data', (chunk) => {
    stderr.push(String(chunk))
  })
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  onTestFinished(() => kill('SIGKILL'))
  return { pid: child.pid ?? 0, stderr: () => stderr.join(''), kill }
}

/** A coordinator process and where to find it; starting it again with the same ports takes its place. */
export type CoordinatorProcess = Running & {
  client: Client
  url: string
  grpc: string
  ports: { http: number; grpc: number }
}

/** Starts a coordinator on a world and waits until it answers. */
export async function startCoordinatorProcess(
  world: World,
  ports?: { http: number; grpc: number },
  env: Record<string, string> = {},
): Promise<CoordinatorProcess> {
  const taken = ports ?? { http: await freePort(), grpc: await freePort() }
  const settings = { PORT: String(taken.http), GRPC_PORT: String(taken.grpc), LOG_LEVEL: 'warn', ...env }
  const running = startProcess('coordinator/main.ts', { ...coordinatorEnv(world), ...settings })
  const url = `http://127.0.0.1:${taken.http}`
  const client = createClient(url, API_KEY)
  const answers = () =>
    client.call('GET', '/health').then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(`the coordinator answers\n${running.stderr()}`, answers)
  return { ...running, client, url, grpc: `127.0.0.1:${taken.grpc}`, ports: taken }
}

/** Starts an agent on a world. */
export function startAgentProcess(world: World, grpc: string, env: Record<string, string>): Running {
  return startProcess('agent/main.ts', {
    NATS_URL: world.natsAgentUrl,
    COORDINATOR_GRPC: grpc,
    AGENT_TOKEN,
    LOG_LEVEL: 'warn',
    ...env,
  })
}
