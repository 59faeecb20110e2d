// The whole product on one machine: database, queue, coordinator and agent as `npm start` runs them. Jobs are created
// and their places are read through the public API. The cost beyond that of the agent is the cost of planning, storing,
// billing and reading a job.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { CITY } from '@placefleet/deploy/simulation/map-site/city/geography'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { benchLifecycle, dataDirectory } from '../api/backend.ts'
import { contend } from '../contender.ts'
import { startProduct } from '../product.ts'
import { commandsSince, readCommands } from './commands.ts'
import { capsOf, LANGUAGE, openOutput, Work } from './work.ts'

/** A job has at most 500 places and 5 keywords. */
const KEYWORDS_A_JOB = 4
const PLACES_A_JOB = 500
const PLACES_A_PAGE = 100
const POLL_MS = 20

/** A circle around the whole city. Its places are found in cells, and every place is inside. */
const AREA = { lat: String(CITY.lat), lon: String(CITY.lon), radius: 50_000 }

/** Collects a job. Returns the paths of the pages of its places. */
async function collectJob(client: Client, keywords: string[], wanted: Work): Promise<string[]> {
  const caps = { ...capsOf(wanted), depth: 20, max_results: PLACES_A_JOB, ...(wanted.area && AREA) }
  const id = await client.create({ keywords, language: LANGUAGE, fast_mode: wanted.fast, ...caps })
  const job = await client.finished(id)
  if (job.status !== 'completed') throw new Error(`a job ended as ${job.status}: ${job.failure_reason}`)
  const count = Math.ceil(job.result_count / PLACES_A_PAGE)
  return Array.from({ length: count }, (_, nth) => `/api/v1/jobs/${id}/results?limit=${PLACES_A_PAGE}&page=${nth + 1}`)
}

const ResultPage = z.object({ results: z.array(z.record(z.string(), z.unknown())) })

/** Turns a file of pages into the places of a contender's answer. This is work of the client, not of the product. */
async function handOver(file: string, output: string): Promise<void> {
  const places = openOutput(output)
  for (const page of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    for (const result of ResultPage.parse(JSON.parse(page)).results) places.write(placeOf(result))
  }
  await places.close()
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
  const life = benchLifecycle()
  const dataDir = dataDirectory(life)
  const servers = await startServers({ dataDir, env: process.env, log: createLogger('product', 'warn') })
  life.own('servers', servers, (running) => running.stop())
  const { mongoUrl, natsUrl, natsAgentUrl } = servers
  const { db } = life.own('database', await connectMongo(mongoUrl), (mongo) => mongo.close())
  const { url } = await startProduct(life, mapsBaseUrl, {
    MONGODB_URL: mongoUrl,
    NATS_URL: natsUrl,
    NATS_AGENT_URL: natsAgentUrl,
    EXIT_RATE: '0',
    COLLECT_RUNG: rung,
  })
  await agentIsThere(db)
  const jobs = Array.from({ length: Math.ceil(keywords.length / KEYWORDS_A_JOB) }, (_, nth) =>
    keywords.slice(nth * KEYWORDS_A_JOB, (nth + 1) * KEYWORDS_A_JOB),
  )
  const owners = await Promise.all(jobs.map(() => addUser(db, 1_000_000)))
  const pages = join(dataDir, 'pages.jsonl')
  const collect = async (some: string[], key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const paths = await collectJob(createClient(url, key), some, wanted)
    for (const path of paths) appendFileSync(pages, `${await (await fetch(`${url}${path}`, { headers })).text()}\n`)
  }
  const work = async () => {
    const before = await readCommands(db)
    await Promise.all(jobs.map((some, n) => collect(some, owners[n]?.key ?? '')))
    return { commands: commandsSince(before, await readCommands(db)) }
  }
  const close = async () => {
    if (existsSync(pages)) await handOver(pages, wanted.output) // without work there are none
    await life.close()
  }
  return { work, close }
})
