import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { COMPILE_CACHE } from '../servers/run-program.ts'
import { until } from '../until.ts'
import { type Client, createClient } from './client.ts'
import { holdAgainstDocument } from './documented-answers.ts'
import { AGENT_TOKEN, API_KEY, coordinatorEnv, freePorts, type Ports, type World } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A process of the product, started like an operator starts it. `kill` returns its exit code, null after a SIGKILL. */
export type Running = { pid: number; stderr(): string; kill(signal: NodeJS.Signals): Promise<number | null> }

/** The settings of agents for a simulated map site: no pace, short rests, and no sandbox as root. */
export const SIMULATED_SITE = { EXIT_RATE: '0', EXIT_REST_SECONDS: '1', CHROMIUM_SANDBOX: 'off' }

/** Starts a script of this or another checkout in a separate process. The process is killed at the end of the test. */
export function startProcess(
  script: string,
  env: Record<string, string>,
  root = ROOT,
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
  onEnd: (stderr: string) => void = () => undefined,
): Running {
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [join(root, script)], {
    env: { PATH, HOME, ...COMPILE_CACHE, ...SIMULATED_SITE, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr: string[] = []
  child.stderr?.on('data', (chunk) => {
    stderr.push(String(chunk))
  })
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode
  }
  whenOver(async () => {
    await kill('SIGKILL')
    onEnd(stderr.join(''))
  })
  return { pid: child.pid ?? 0, stderr: () => stderr.join(''), kill }
}

/** A coordinator process and its addresses. A second one with the same ports replaces it. */
export type CoordinatorProcess = Running & { client: Client; url: string; grpc: string; ports: Ports }

/** Starts a coordinator on a world and waits until it answers. It is killed with the world. */
export async function startCoordinatorProcess(
  world: World,
  env: Record<string, string> = {},
  root = ROOT,
): Promise<CoordinatorProcess> {
  const settings = { ...coordinatorEnv(world), LOG_LEVEL: 'info', ...(await freePorts()), ...env }
  const running = startProcess(
    'coordinator/main.ts',
    settings,
    root,
    (end) => void world.life.own('coordinator process', end, (kill) => kill()),
    world.logged,
  )
  await until('the coordinator has started', () => running.stderr().includes('"coordinator started"')).catch(
    (cause: Error) => {
      throw new Error(`${cause.message}\n${running.stderr()}`, { cause })
    },
  )
  const { PORT, GRPC_PORT } = settings
  const url = `http://127.0.0.1:${PORT}`
  if (root === ROOT) holdAgainstDocument(url)
  const client = createClient(url, API_KEY)
  return { ...running, client, url, grpc: `127.0.0.1:${GRPC_PORT}`, ports: { PORT, GRPC_PORT } }
}

/** Starts an agent on a world. It is killed after the test. */
export function startAgentProcess(world: World, grpc: string, env: Record<string, string>, root = ROOT): Running {
  const settings = { NATS_URL: world.natsAgentUrl, COORDINATOR_GRPC: grpc, AGENT_TOKEN, LOG_LEVEL: 'warn', ...env }
  return startProcess('agent/main.ts', settings, root, onTestFinished, world.logged)
}
