// The whole product on one machine: database, queue, coordinator and agent as `npm start` runs them; jobs are created and their
// places read through the public API. What it takes beyond the agent is what a job costs to plan, store, bill and hand out.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { contend } from '../contender.ts'
import { capsOf, LANGUAGE, openOutput, Work } from './work.ts'

/** A job takes 500 places at most, and 5 keywords. */
const KEYWORDS_A_JOB = 4
const PLACES_A_JOB = 500
const AMPLE = '100000:100000'

async function collectJob(client: Client, keywords: string[], wanted: Work): Promise<Partial<Place>[]> {
  const caps = { ...capsOf(wanted), depth: 20, max_results: PLACES_A_JOB }
  const id = await client.create({ keywords, language: LANGUAGE, fast_mode: wanted.fast, ...caps })
  const job = await client.ended(id, 600_000)
  if (job.status !== 'completed') throw new Error(`a job ended as ${job.status}: ${job.failure_reason}`)
  return (await client.places(id)).map(placeOf)
}

/** A result without what the product adds to a place: fields of its own, and empty text and lists where there is none. */
function placeOf({ id, user_id, job_id, web_presence, created_at, ...place }: Record<string, unknown>) {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  const filled = JSON.parse(JSON.stringify(place), (_name, value) => (isEmpty(value) ? undefined : value))
  return { ...filled, place_key: String(place.data_id) }
}

await contend(Work, async (wanted) => {
  const { mapsBaseUrl, rung, keywords } = wanted
  const log = createLogger('product', 'warn')
  const life = createLifecycle(log)
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('data', dataDir, (directory) => rmSync(directory, { recursive: true, force: true }))
  const env = {
    ...process.env,
    ...{ DATA_DIR: dataDir, PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'warn', HOST: '127.0.0.1' },
    ...{ EXIT_RATE: '0', CHROMIUM_SANDBOX: 'off' },
    ...{ MAPS_BASE_URL: mapsBaseUrl, COLLECT_RUNG: rung, BOOTSTRAP_CREDITS: '1000000' },
    ...{ RATE_FREE: AMPLE, RATE_JOB_CREATE: AMPLE },
  }
  const { url, firstKey } = await startStandalone(readStandaloneSettings(env), log, life)
  const client = createClient(url, firstKey.key)
  const output = openOutput(wanted.output)
  const jobs = Array.from({ length: Math.ceil(keywords.length / KEYWORDS_A_JOB) }, (_, nth) =>
    keywords.slice(nth * KEYWORDS_A_JOB, (nth + 1) * KEYWORDS_A_JOB),
  )
  const work = async () => {
    await Promise.all(
      jobs.map(async (some) => {
        for (const place of await collectJob(client, some, wanted)) output.write(place)
      }),
    )
    return output.close()
  }
  return { work, close: () => life.close() }
})
