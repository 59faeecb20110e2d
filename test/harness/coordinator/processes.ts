import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { COMPILE_CACHE } from '../servers/run-program.ts'
import { until } from '../until.ts'
import { type Client, createClient } from './client.ts'
import { AGENT_TOKEN, API_KEY, coordinatorEnv, type World } from './world.ts'

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
  whenOver(async () => void (await kill('SIGKILL')))
  return { pid: child.pid ?? 0, stderr: () => stderr.join(''), kill }
}

/** A coordinator process and its addresses. A second start with the same ports replaces it. */
export type CoordinatorProcess = Running & {
  client: Client
  url: string
  grpc: string
  ports: { http: number; grpc: number }
}

const Started = z.object({ msg: z.literal('coordinator started'), url: z.url(), grpc_port: z.int() })

/** Starts a coordinator on a world and waits until it answers. Default: free ports. It is killed with the world. */
export async function startCoordinatorProcess(
  world: World,
  ports = { http: 0, grpc: 0 },
  env: Record<string, string> = {},
  root = ROOT,
): Promise<CoordinatorProcess> {
  const settings = { PORT: String(ports.http), GRPC_PORT: String(ports.grpc), ...env }
  const running = startProcess(
    'coordinator/main.ts',
    { ...coordinatorEnv(world), LOG_LEVEL: 'info', ...settings },
    root,
    (end) => void world.life.own('coordinator process', end, (kill) => kill()),
  )
  const { url, grpc_port } = await until('the coordinator has started', () => startedIn(running.stderr())).catch(
    (cause: Error) => {
      throw new Error(`${cause.message}\n${running.stderr()}`, { cause })
    },
  )
  const taken = { http: Number(new URL(url).port), grpc: grpc_port }
  const reached = `http://127.0.0.1:${taken.http}`
  const client = createClient(reached, API_KEY)
  return { ...running, client, url: reached, grpc: `127.0.0.1:${taken.grpc}`, ports: taken }
}

/** Returns what a coordinator's log says about its start; undefined until then. */
function startedIn(log: string): z.infer<typeof Started> | undefined {
  const line = log.split('\n').find((entry) => entry.includes('"coordinator started"') && entry.endsWith('}'))
  return line === undefined ? undefined : Started.parse(JSON.parse(line))
}

/** Starts an agent on a world. It is killed after the test. */
export function startAgentProcess(world: World, grpc: string, env: Record<string, string>, root = ROOT): Running {
  const settings = { NATS_URL: world.natsAgentUrl, COORDINATOR_GRPC: grpc, AGENT_TOKEN, LOG_LEVEL: 'warn', ...env }
  return startProcess('agent/main.ts', settings, root)
}
