import { EstimateAnswer } from '@placefleet/coordinator/billing/prices/estimate-schema'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld, type World } from '@placefleet/deploy/simulation/outside-world'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import { benchLifecycle } from './api/backend.ts'
import { startProduct } from './product.ts'
import { aimOf, median, type Report } from './report.ts'

const SEED = 7
const PLACES = 1_200
/** Ten jobs at once, each with tasks that wait for its own exits. */
const SLOTS = '24'
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
 * Creates ten kinds of jobs at once, each with proxies of its own at the usual pace, and compares how long each takes
 * with what its estimate said.
 */
export async function benchTime(_args: string[], say: (step: string) => void): Promise<Report> {
  const life = benchLifecycle()
  try {
    const started = await startOutsideWorld({
      seed: SEED,
      places: PLACES,
      certificate: simulatedCertificate(),
      options: AS_LARGE_AS_REAL,
    })
    const world = life.own('world', started, (running) => running.close())
    const exits = await proxiesFor(life, world)
    const { url, firstKey } = await startProduct(life, world.site.url, {
      AGENT_CONCURRENCY: SLOTS,
      EGRESS_ALLOW_HOSTS: exits
        .flat()
        .map((exit) => new URL(exit.url).host)
        .join(','),
      MAX_CONCURRENT_JOBS_FREE: '20',
      BOOTSTRAP_CREDITS: '10000',
    })
    const client = createClient(url, firstKey.key)
    const rows = await Promise.all(
      KINDS.map(async (one, nth) => {
        const own = exits[nth] ?? []
        const proxies = own.map((exit) => exit.url)
        const row = await measure(client, one, proxies)
        say(`${one.name}: ended`)
        const { addresses } = world.site.requests()
        const counts = own.flatMap(({ address }) => Object.values(addresses[address] ?? {}))
        return [...row, counts.reduce((sum, count) => sum + count, 0)] as const
      }),
    )
    const head = ['job', 'places', 'expected', 'low s', 'likely s', 'high s', 'took s', 'error', 'requests', 'sent']
    return {
      tables: [{ title: 'How long jobs take', head, rows }],
      aims: [aimOf('median error', 'at most', 0.2, median(rows.map((row) => row[7])))],
    }
  } finally {
    await life.close()
  }
}

/** Returns the proxies of each kind of job, each with the address at which the map site sees it. */
async function proxiesFor(life: Lifecycle, { city, websites: { host, port } }: World) {
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

/** Returns a row of the table, but for the number of sent requests. */
async function measure(client: Client, { name, request }: Kind, proxies: string[]) {
  const body = { max_reviews: 0, ...request, proxies }
  const answer = await client.call('POST', '/api/v1/jobs/estimates', body)
  const { seconds, places, time_assumes } = EstimateAnswer.parse(answer.body).estimate
  const job = await client.finished(await client.create(body))
  if (job.status !== 'completed') throw new Error(`${name} ended as ${job.status}`)
  const took = (Date.parse(job.ended_at ?? '') - Date.parse(job.started_at ?? '')) / 1_000
  const error = Math.abs(seconds.likely - took) / took
  const { low, likely, high } = seconds
  return [name, job.result_count, places, low, likely, high, took, error, time_assumes.requests] as const
}
