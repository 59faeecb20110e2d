import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import { until } from '../harness/until.ts'
import { countOption } from './arguments.ts'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'

const MINUTE_MS = 60_000
const AMPLE = '100000:100000'
const KEYWORD = 'bakery'
/** One in twelve places of the city is a bakery. */
const CITY = 480
/** Places stored before the block begins. */
const BEFORE = 5
/** The maximum duration of a job. */
const MAX_TIME_SECONDS = 3_600

/**
 * Runs one job without proxies through the whole product, with the pace of production. The site refuses it for some
 * minutes in the middle. Reports whether the job ends completed and whole, and the requests during the block. `--rest`
 * is the first rest in seconds. Throws when the job ends otherwise.
 */
export async function benchBlock(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string' }, rest: { type: 'string' } } })
  const minutes = countOption('minutes', values.minutes, 10)
  const rest = countOption('rest', values.rest, 60)
  const life = createLifecycle(createLogger('bench', 'fatal'))
  progress.begin(3)
  try {
    const site = life.own(
      'site',
      await startMapSite({ seed: 11, places: CITY, certificate: simulatedCertificate(), options: AS_LARGE_AS_REAL }),
      (started) => started.close(),
    )
    const client = await startProduct(life, site, rest)
    return await blocked(client, site, { minutes, rest }, progress)
  } finally {
    await life.close()
  }
}

async function startProduct(life: Lifecycle, site: MapSite, rest: number): Promise<Client> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('data', dataDir, (directory) => rmSync(directory, { recursive: true, force: true }))
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    GRPC_PORT: '0',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    EXIT_REST_SECONDS: String(rest),
    CHROMIUM_SANDBOX: 'off',
    COLLECT_RUNG: 'http',
    MAPS_BASE_URL: site.url,
    RATE_FREE: AMPLE,
  }
  const { url, firstKey } = await startStandalone(readStandaloneSettings(env), createLogger('product', 'error'), life)
  return createClient(url, firstKey.key)
}

async function blocked(
  client: Client,
  site: MapSite,
  { minutes, rest }: { minutes: number; rest: number },
  progress: Progress,
): Promise<Report> {
  const started = performance.now()
  const id = await client.create({ keywords: [KEYWORD], max_results: 500, max_time: MAX_TIME_SECONDS })
  progress.now('before the block')
  await until('places are stored', async () => (await client.job(id)).result_count > BEFORE, 5 * MINUTE_MS)
  progress.done()
  progress.now('the block')
  site.resetRequests()
  site.setOptions({ blocked: 'everyone' })
  await sleep(minutes * MINUTE_MS)
  const asked = site.requests()
  const waiting = await client.job(id)
  site.setOptions({ blocked: [] })
  progress.done()
  progress.now('after the block')
  const job = await client.ended(id, MAX_TIME_SECONDS * 1_000)
  progress.done()
  const found = new Set((await client.places(id)).map(({ data_id }) => data_id))
  const truth = site.city.keysOf(KEYWORD)
  const missing = truth.filter((key) => !found.has(key)).length
  const { sorry = 0, ...kinds } = asked.kinds
  const canaries = kinds['maps-page'] ?? 0
  const others = Object.values(kinds).reduce((sum, count) => sum + count, 0) - canaries
  const aims = [
    {
      aim: 'the job ends completed',
      reached: `${job.status}${job.partial ? ', partial' : ''}`,
      met: job.status === 'completed' && !job.partial,
    },
    { aim: 'every place', reached: `${truth.length - missing} of ${truth.length}`, met: missing === 0 },
    {
      aim: 'after the first refusal canaries only',
      reached: `${canaries} canaries, ${others} others`,
      met: others <= 1,
    },
    {
      aim: 'the job says that it waits',
      reached: String(waiting.progress.waiting_reason),
      met: waiting.progress.waiting_reason === 'blocked',
    },
  ]
  const minutesInAll = (performance.now() - started) / MINUTE_MS
  return {
    figures: {
      bench: 'block',
      minutes,
      rest,
      requests: { sorry, ...kinds },
      minutesInAll,
      outcomes: job.outcomes,
      aims,
    },
    tables: [
      {
        title: `Requests during a block of ${minutes} minutes, first rest ${rest / 2} to ${rest} s`,
        head: ['kind', 'requests'],
        rows: Object.entries({ ...kinds, 'where refusals led': sorry }),
      },
    ],
    aims,
    remarks: [`The job took ${minutesInAll.toFixed(1)} minutes in all.`],
  }
}
