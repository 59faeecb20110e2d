import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EstimateAnswer } from '@placefleet/coordinator/billing/prices/estimate-schema'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld, type World } from '@placefleet/deploy/simulation/outside-world'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import type { Progress } from './progress.ts'
import { median, type Report } from './report.ts'

const AMPLE = '100000:100000'
const SEED = 7
const PLACES = 1_200
/** Ten jobs at once, each with tasks that wait for its own exits. */
const SLOTS = '24'
const MOST_MS = 3_600_000
const CENTRE = { lat: '52.52', lon: '13.405' }

/** A kind of job, and through how many proxies of its own it is collected. */
type Kind = { readonly name: string; readonly exits: number; readonly request: Record<string, unknown> }

const kind = (name: string, request: Record<string, unknown>, exits = 1): Kind => ({ name, request, exits })

const KINDS: readonly Kind[] = [
  kind('20 places', { keywords: ['bakery'], max_results: 20 }),
  kind('80 places', { keywords: ['cafe'], max_results: 80 }),
  kind('3 keywords', { keywords: ['bar', 'hotel', 'gym'], max_results: 60 }),
  kind('no cap', { keywords: ['florist'] }),
  kind('fast mode', { keywords: ['lawyer'], max_results: 80, fast_mode: true }),
  kind('reviews', { keywords: ['dentist'], max_results: 30, max_reviews: 50 }),
  kind('websites', { keywords: ['plumber'], max_results: 40, include_emails: true }),
  kind('a filter', { keywords: ['restaurant'], max_results: 20, website_filter: 'no_website' }),
  kind('a circle', { keywords: ['bakery'], max_results: 60, ...CENTRE, radius: 3_000 }),
  kind('4 addresses', { keywords: ['coffee', 'hairdresser'], max_results: 80 }, 4),
]

/**
 * Creates ten kinds of jobs at once, each with proxies of its own at the usual pace, and compares how long each takes with
 * what its estimate said.
 */
export async function benchTime(_args: string[], progress: Progress): Promise<Report> {
  const life = createLifecycle(createLogger('bench', 'fatal'))
  progress.begin(KINDS.length)
  try {
    const world = life.own(
      'world',
      await startOutsideWorld({
        seed: SEED,
        places: PLACES,
        certificate: simulatedCertificate(),
        options: AS_LARGE_AS_REAL,
      }),
      (started) => started.close(),
    )
    const exits = await proxiesFor(life, world)
    const client = await startProduct(
      life,
      world,
      exits.flat().map(({ url }) => url),
    )
    const rows = await Promise.all(
      KINDS.map(async (one, nth) => {
        const own = exits[nth] ?? []
        const row = await measure(
          client,
          one,
          own.map(({ url }) => url),
        )
        progress.done()
        const { addresses } = world.site.requests()
        const kinds = own.flatMap(({ address }) => Object.values(addresses[address] ?? {}))
        return { ...row, sent: kinds.reduce((sum, count) => sum + count, 0) }
      }),
    )
    const error = median(rows.map((row) => row.error))
    const aims = [{ aim: 'median error at most a fifth', reached: error.toFixed(2), met: error <= 0.2 }]
    const head = ['job', 'places', 'expected', 'low s', 'likely s', 'high s', 'took s', 'error', 'requests', 'sent']
    const cells = rows.map(({ name, places, expected, seconds, took, error: off, requests, sent }) => {
      return [name, places, expected, seconds.low, seconds.likely, seconds.high, took, off, requests, sent]
    })
    return {
      figures: { bench: 'time', rows, aims },
      tables: [{ title: 'How long jobs take', head, rows: cells }],
      aims,
      remarks: [],
    }
  } finally {
    await life.close()
  }
}

/** A proxy, and the address at which the map site sees it. */
type Exit = { readonly url: string; readonly address: string }

/** Returns the proxies of each kind of job. */
async function proxiesFor(life: Lifecycle, { city, websites: { host, port } }: World): Promise<Exit[][]> {
  let last = 10
  const resolve = (name: string) => (city.indexOfHost(name) === undefined ? undefined : { host, port })
  const start = async () => {
    const address = `127.0.0.${last++}`
    const proxy = await startForwardProxy({ resolve, localAddress: address })
    const { url } = life.own('proxy', proxy, (started) => started.close())
    return { url, address }
  }
  return Promise.all(KINDS.map(({ exits }) => Promise.all(Array.from({ length: exits }, start))))
}

async function startProduct(life: Lifecycle, { site }: World, proxies: readonly string[]): Promise<Client> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('data', dataDir, (directory) => rmSync(directory, { recursive: true, force: true }))
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    GRPC_PORT: '0',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    CHROMIUM_SANDBOX: 'off',
    COLLECT_RUNG: 'http',
    AGENT_CONCURRENCY: SLOTS,
    MAPS_BASE_URL: site.url,
    EGRESS_ALLOW_HOSTS: proxies.map((url) => new URL(url).host).join(','),
    MAX_CONCURRENT_JOBS_FREE: '20',
    RATE_FREE: AMPLE,
    RATE_JOB_CREATE: AMPLE,
    BOOTSTRAP_CREDITS: '10000',
  }
  const { url, firstKey } = await startStandalone(readStandaloneSettings(env), createLogger('product', 'error'), life)
  return createClient(url, firstKey.key)
}

async function measure(client: Client, { name, request }: Kind, proxies: string[]) {
  const body = { max_reviews: 0, ...request, proxies }
  const answer = await client.call('POST', '/api/v1/jobs/estimates', body)
  const { estimate } = EstimateAnswer.parse(answer.body)
  const {
    status,
    result_count,
    started_at = '',
    ended_at = '',
  } = await client.ended(await client.create(body), MOST_MS)
  if (status !== 'completed') throw new Error(`${name} ended as ${status}`)
  const took = (Date.parse(ended_at) - Date.parse(started_at)) / 1_000
  const { seconds, places: expected, time_assumes } = estimate
  const error = Math.abs(seconds.likely - took) / took
  return { name, places: result_count, expected, seconds, took, error, requests: time_assumes.requests }
}
