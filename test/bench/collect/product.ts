// The whole product on one machine: database, queue, coordinator and agent as `npm start` runs them. Jobs are created
// and their places are read through the public API. The cost beyond that of the agent is the cost of planning, storing,
// billing and reading a job.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { CITY } from '@placefleet/deploy/simulation/map-site/city/geography'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { contend } from '../contender.ts'
import { commandsSince, readCommands } from './commands.ts'
import { capsOf, LANGUAGE, openOutput, Work } from './work.ts'

/** A job has at most 500 places and 5 keywords. */
const KEYWORDS_A_JOB = 4
const PLACES_A_JOB = 500
const PLACES_A_PAGE = 100
const AMPLE = '100000:100000'
const CREDITS = '1000000'
const POLL_MS = 20

/** A circle around the whole city. Its places are found in cells, and every place is inside. */
const AREA = { lat: String(CITY.lat), lon: String(CITY.lon), radius: 50_000 }

/** Collects a job and writes the pages of its places to a file as the API sent them, one page per line. */
async function collectJob(client: Client, keywords: string[], wanted: Work, pages: Pages): Promise<void> {
  const caps = { ...capsOf(wanted), depth: 20, max_results: PLACES_A_JOB, ...(wanted.area && AREA) }
  const id = await client.create({ keywords, language: LANGUAGE, fast_mode: wanted.fast, ...caps })
  for (;;) {
    const job = Job.parse((await client.call('GET', `/api/v1/jobs/${id}?wait=30`)).body)
    if (!isFinal(job.status)) continue
    if (job.status !== 'completed') throw new Error(`a job ended as ${job.status}: ${job.failure_reason}`)
    for (let page = 1; (page - 1) * PLACES_A_PAGE < job.result_count; page++) {
      await pages.add(`/api/v1/jobs/${id}/results?limit=${PLACES_A_PAGE}&page=${page}`)
    }
    return
  }
}

type Pages = { add(path: string): Promise<void> }

const ResultPage = z.object({ results: z.array(z.record(z.string(), z.unknown())) })

/** Turns a file of pages into the places of a contender's answer. This is work of the client, not of the product. */
async function handOver(file: string, output: string): Promise<void> {
  const places = openOutput(output)
  for (const page of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    for (const result of ResultPage.parse(JSON.parse(page)).results) places.write(placeOf(result))
  }
  await places.close()
}

/** Creates the key of a new user with credits. */
async function createOwner(db: Db, n: number): Promise<string> {
  const { _id: user_id } = await createUser(db, { email: `user-${n}@example.com` })
  const reference = { reference_type: 'bench', reference_id: 'credits' }
  const amount = microCredits(CREDITS)
  await grant(createLedger(mongoLedgerStore(db)), { user_id, amount, type: 'bonus', reference, description: 'bench' })
  return (await createApiKey(db, user_id, { name: 'bench' })).key
}

/** Waits until the agent has registered, because the other contenders are measured without their start too. */
async function agentIsThere(db: Db): Promise<void> {
  while ((await db.collection('agents').countDocuments({ connected: true })) === 0) await delay(POLL_MS)
}

/** Returns a result without the product's own fields, empty texts and empty lists. */
function placeOf({ id, user_id, job_id, web_presence, created_at, ...place }: Record<string, unknown>) {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  const filled = JSON.parse(
    JSON.stringify(place),
    (name, value) => (isEmpty(value) && name !== 'answers' ? undefined : value), // a question may have none
  )
  return { ...filled, place_key: String(place.data_id) }
}

await contend(Work, async (wanted) => {
  const { mapsBaseUrl, rung, keywords } = wanted
  const log = createLogger('product', 'warn')
  const life = createLifecycle(log)
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('data', dataDir, (directory) => rmSync(directory, { recursive: true, force: true }))
  const servers = await startServers({ dataDir, env: process.env, log })
  life.own('servers', servers, (running) => running.stop())
  const { db } = life.own('database', await connectMongo(servers.mongoUrl), (mongo) => mongo.close())
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    GRPC_PORT: '0',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    NATS_AGENT_URL: servers.natsAgentUrl,
    EXIT_RATE: '0',
    CHROMIUM_SANDBOX: 'off',
    RATE_FREE: AMPLE,
    RATE_JOB_CREATE: AMPLE,
    MAPS_BASE_URL: mapsBaseUrl,
    COLLECT_RUNG: rung,
  }
  const { url } = await startStandalone(readStandaloneSettings(env), log, life)
  await agentIsThere(db)
  const jobs = Array.from({ length: Math.ceil(keywords.length / KEYWORDS_A_JOB) }, (_, nth) =>
    keywords.slice(nth * KEYWORDS_A_JOB, (nth + 1) * KEYWORDS_A_JOB),
  )
  const owners = await Promise.all(jobs.map((_, n) => createOwner(db, n)))
  const pages = join(dataDir, 'pages.jsonl')
  const collect = (some: string[], key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const add = async (path: string) =>
      appendFileSync(pages, `${await (await fetch(`${url}${path}`, { headers })).text()}\n`)
    return collectJob(createClient(url, key), some, wanted, { add })
  }
  const work = async () => {
    const before = await readCommands(db)
    await Promise.all(jobs.map((some, n) => collect(some, owners[n] ?? '')))
    return { commands: commandsSince(before, await readCommands(db)) }
  }
  const close = async () => {
    if (existsSync(pages)) await handOver(pages, wanted.output) // without work there are none
    await life.close()
  }
  return { work, close }
})
