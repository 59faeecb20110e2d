import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { MongoClient } from 'mongodb'
import { connect, type NatsConnection } from 'nats'
import { onTestFinished } from 'vitest'
import { COMPILE_CACHE } from '../harness/servers/run-program.ts'

const PROGRAM = resolve(import.meta.dirname, '../../deploy/services.ts')

type WhenOver = (end: () => Promise<void> | void) => void

export type Services = {
  process: ChildProcess
  pid: number
  mongoUrl: string
  natsUrl: string
  natsAgentUrl: string
  /** The lines it printed. */
  printed: string[]
  stop(): Promise<number>
}

/**
 * Runs `npm run services` on a data directory and waits for both addresses; it ends with the test, or with the file.
 */
export async function startServices(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  whenOver: WhenOver = onTestFinished,
): Promise<Services> {
  const { MONGODB_URL: _mongo, NATS_URL: _nats, ...clean } = process.env
  const settings = { ...clean, ...COMPILE_CACHE, LOG_LEVEL: 'error', DATA_DIR: dataDir, ...env }
  const child = spawn(process.execPath, [PROGRAM], { env: settings })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return child.exitCode ?? -1
  }
  whenOver(async () => void (await stop()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const printed: string[] = []
  while (printed.length < 12) {
    const line = await lines.next()
    if (line.done) break
    printed.push(line.value)
  }
  const values = printed.map((line) => /^export [A-Z_]+='(.*)'$/.exec(line)?.[1])
  const [, mongoUrl, natsUrl, , , , , , natsAgentUrl] = values
  if (!mongoUrl || !natsUrl || !natsAgentUrl) throw new Error(`printed ${printed.join('\n')}`)
  return { process: child, pid: child.pid ?? 0, mongoUrl, natsUrl, natsAgentUrl, printed, stop }
}

/** Returns a driver's connection with the write concern the address asks for; it ends with the test. */
export function mongoClient(url: string): MongoClient {
  const client = new MongoClient(url)
  onTestFinished(() => client.close())
  return client
}

/** The NATS client takes user and password beside the address, not in it. It ends with the test. */
export async function natsClient(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url)
  const client = await connect({
    servers: host,
    user: username,
    pass: password,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  })
  onTestFinished(() => client.close())
  return client
}
