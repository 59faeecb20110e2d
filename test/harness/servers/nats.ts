import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsServerProgram } from '@placefleet/deploy/embedded/nats'
import { startTied } from '@placefleet/deploy/embedded/tied-process'
import { AGENT_PERMISSIONS, natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { freePort } from '../network/free-port.ts'

/** The NATS server of a whole run. Every test takes one of its accounts, which do not share subjects or streams. */
export type SharedNats = { port: number; password: string; storeDir: string }

/** The account of one test. */
export type NatsAccount = {
  url: string
  /** With the rights of an agent. */
  agentUrl: string
  /** Where the server keeps the account's streams. */
  storeDir: string
}

/** More accounts than the tests of one worker use at once. */
const ACCOUNTS_PER_WORKER = 16

/** Starts a NATS server with accounts for this many workers. */
export async function startSharedNats(
  dataDir: string,
  workers: number,
): Promise<SharedNats & { stop(): Promise<void> }> {
  const dir = join(dataDir, 'nats')
  mkdirSync(dir, { recursive: true })
  const shared = { port: await freePort(), password: randomBytes(18).toString('hex'), storeDir: join(dir, 'store') }
  const configFile = join(dir, 'server.conf')
  writeFileSync(configFile, configuration(shared, workers), { mode: 0o600 })
  const server = await startTied({
    name: 'The NATS server of the tests',
    command: natsServerProgram(process.env),
    args: ['-c', configFile],
    env: process.env,
    dataDir: dir,
    runDir: dir,
    logFile: join(dataDir, 'nats.log'),
    isReady: () => answers(commonUrl(shared)),
  })
  return { ...shared, stop: () => server.end() }
}

const answers = (url: string): Promise<boolean> =>
  connect({ ...natsServers(url), reconnect: false }).then(
    async (nats) => {
      await nats.close()
      return true
    },
    () => false,
  )

function configuration({ port, password, storeDir }: SharedNats, workers: number): string {
  const names = Array.from({ length: workers + 1 }, (_, worker) =>
    Array.from({ length: ACCOUNTS_PER_WORKER }, (_, nth) => accountName(worker, nth)),
  ).flat()
  const accounts = names.map((name) => {
    const agent = `{ user: ${name}-agent, password: "${password}", permissions: ${JSON.stringify(AGENT_PERMISSIONS)} }`
    return `${name} { jetstream: enabled, users: [{ user: ${name}, password: "${password}" }, ${agent}] }`
  })
  return `host: "127.0.0.1"
port: ${port}
jetstream { store_dir: ${JSON.stringify(storeDir)} }
accounts {
  ${accounts.join('\n  ')}
}
`
}

const accountName = (worker: number, nth: number): string => `worker${worker}-test${nth}`

function accountOf({ port, password, storeDir }: SharedNats, worker: number, nth: number): NatsAccount {
  const name = accountName(worker, nth)
  const urlOf = (user: string) => `nats://${user}:${password}@127.0.0.1:${port}`
  return { url: urlOf(name), agentUrl: urlOf(`${name}-agent`), storeDir: join(storeDir, 'jetstream', name) }
}

/**
 * Returns the URL of an account that no test takes, for tests that only need an answering NATS. Workers count from 1.
 */
export const commonUrl = (shared: SharedNats): string => accountOf(shared, 0, 0).url

const taken = new Set<number>()

/** Takes a free, empty account until `giveBack`. Throws when this worker uses all of its accounts. */
export async function takeNatsAccount(shared: SharedNats): Promise<NatsAccount & { giveBack(): void }> {
  const nth = Array.from({ length: ACCOUNTS_PER_WORKER }, (_, index) => index).find((index) => !taken.has(index))
  if (nth === undefined) throw new Error(`all ${ACCOUNTS_PER_WORKER} NATS accounts of this worker are in use`)
  taken.add(nth)
  const account = accountOf(shared, Number(process.env.VITEST_POOL_ID), nth)
  await empty(account)
  return { ...account, giveBack: () => void taken.delete(nth) }
}

/** Deletes the streams of an earlier test. */
async function empty({ url }: NatsAccount): Promise<void> {
  const nats = await connect({ ...natsServers(url), reconnect: false })
  const manager = await nats.jetstreamManager()
  for await (const name of manager.streams.names()) await manager.streams.delete(name)
  await nats.close()
}
