import { rmSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { startNats } from '@placefleet/deploy/embedded/nats'
import type { Logger } from '@placefleet/shared/log'

/** One of the embedded servers: started again at the same address by its supervisor whenever it dies. */
export type FleetServer = {
  name: string
  url: string
  /** Where it listens. */
  target: NetConnectOpts
  pid(): number | undefined
  /** Removes what it stored, then kills it: it comes back empty. */
  wipe(): void
  stop(): Promise<void>
}

export type ServerOptions = { dataDir: string; cacheDir: string; env: NodeJS.ProcessEnv; log: Logger }

/** Starts the database; its clients come over TCP, so that the way there can be broken. */
export async function startDatabase(options: ServerOptions): Promise<FleetServer> {
  const server = await startMongo(options)
  const host = /^mongodb:\/\/([^/]+)\//.exec(server.url)?.[1]
  if (host === undefined) throw new Error(`${server.url} is no address of the embedded database`)
  return {
    name: 'mongo',
    url: server.url,
    target: { path: decodeURIComponent(host) },
    pid: () => server.pid,
    wipe: () => {
      throw new Error('the database is the truth: without it there is nothing to check')
    },
    stop: server.stop,
  }
}

/** The queue; agents have an address of their own there, with which they may only take tasks. */
export type Queue = FleetServer & { agentUrl: string }

/** Starts the queue. */
export async function startQueue({ dataDir, env, log }: ServerOptions): Promise<Queue> {
  const server = await startNats({ dataDir, env, log })
  const { hostname: host, port } = new URL(server.url)
  return {
    name: 'nats',
    url: server.url,
    agentUrl: server.agentUrl,
    target: { host, port: Number(port) },
    pid: () => server.pid,
    wipe() {
      if (server.pid === undefined) return
      process.kill(server.pid, 'SIGSTOP') // it must not write while its files go
      rmSync(join(dataDir, 'nats', 'store'), { recursive: true, force: true })
      process.kill(server.pid, 'SIGKILL')
    },
    stop: server.stop,
  }
}
