import { parseArgs } from 'node:util'
import { type Collector, createCollector } from '@placefleet/agent/collect/collector'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { createLogger } from '@placefleet/shared/log'
import { type CollectedJob, collectJob, UNPACED } from '../harness/agents/collect-job.ts'
import { PARAMETERS } from '../harness/agents/task-parameters.ts'
import { type HostileProxies, startHostileProxies } from '../harness/network/hostile-proxies.ts'
import { countOption } from './arguments.ts'
import type { Progress } from './progress.ts'
import { type Aim, aimRemarks, type Report } from './report.ts'

type Figures = {
  readonly city: string
  readonly places: number
  readonly listed: number
  readonly seconds: number
  readonly requestsPerPlace: number
  readonly refused: number
  readonly failedAttempts: number
}

const PROXIES = 20
const SLOTS = 4
/** Longer than any run: an address that was blocked stays so. */
const BLOCK_MS = 600_000
const LATENCY = { min: 50, max: 800 }
const KEYWORD = 'bakery'
const KINDS = 12
/** One search shows no more. */
const MOST = 120

const ONLY_PLACES = { ...PARAMETERS, max_images: 0, max_reviews: 0 }

/**
 * One job in a calm city and in a hostile one, both 50 to 800 ms away: there 30 % of the proxies are dead (half of them
 * silent), 20 % are blocked after 15 requests, and 5 % of the answers are broken. Throws when a place is missing.
 */
export async function benchHostile(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { places: { type: 'string' } } })
  const places = Math.min(MOST, countOption('places', values.places, MOST))
  progress.begin(2)
  const figures: Figures[] = []
  for (const hostile of [false, true]) {
    progress.now(hostile ? 'the hostile city' : 'the calm city')
    figures.push(await collectIn(places, hostile))
    progress.done()
  }
  return reportOf(figures)
}

async function collectIn(places: number, hostile: boolean): Promise<Figures> {
  const crowd = hostile ? await startHostileProxies(PROXIES, true) : undefined
  const site = await startMapSite({ seed: 7, places: places * KINDS, options: { latencyMs: LATENCY, ...harm(crowd) } })
  const proxies = (crowd?.proxies ?? []).map(({ url }) => url)
  const collector = createCollector({
    mapsBaseUrl: site.url,
    rung: 'http',
    allowHosts: new Set(proxies.map((url) => new URL(url).host)),
    exits: UNPACED,
    log: createLogger('bench', 'fatal'),
  })
  try {
    return await measured(hostile ? 'hostile' : 'calm', site, collector, proxies)
  } finally {
    await collector.close()
    await site.close()
    await crowd?.close()
  }
}

function harm(crowd: HostileProxies | undefined) {
  if (!crowd) return {}
  const addresses = [...crowd.watched]
  return { failureRate: 0.05, rateLimit: { requests: 15, windowMs: BLOCK_MS, blockMs: BLOCK_MS, addresses } }
}

async function measured(
  city: string,
  site: MapSite,
  collector: Collector,
  proxies: readonly string[],
): Promise<Figures> {
  const started = performance.now()
  const job = { keyword: KEYWORD, parameters: ONLY_PLACES, proxies, slots: SLOTS, places_wanted: 500 }
  const { places, listed, failures }: CollectedJob = await collectJob(collector, job)
  const seconds = (performance.now() - started) / 1_000
  const missing = site.city.keysOf(KEYWORD).filter((key) => !places.some(({ place_key }) => place_key === key))
  if (missing.length > 0)
    throw new Error(`${missing.length} places of the ${city} city are missing: ${failures.join('; ')}`)
  const { total, refused } = site.requests()
  const refusals = Object.values(refused).flatMap((kinds) => Object.values(kinds))
  return {
    city,
    places: places.length,
    listed,
    seconds,
    requestsPerPlace: total / places.length,
    refused: refusals.reduce((sum, count) => sum + count, 0),
    failedAttempts: failures.length,
  }
}

function reportOf(figures: readonly Figures[]): Report {
  const [calm, hostile] = figures
  const times = (hostile?.seconds ?? Number.NaN) / (calm?.seconds ?? Number.NaN)
  const requests = (hostile?.requestsPerPlace ?? Number.NaN) / (calm?.requestsPerPlace ?? Number.NaN)
  const aims: Aim[] = [
    {
      aim: 'every place of the hostile city',
      reached: `${hostile?.places} of ${calm?.places}`,
      met: hostile?.places === calm?.places,
    },
  ]
  return {
    figures: { bench: 'hostile', cities: figures, ratios: { time: times, requestsPerPlace: requests }, aims },
    tables: [
      {
        title: 'One search and its places, 4 tasks at a time, answers after 50 to 800 ms',
        head: ['city', 'places', 'seconds', 'requests a place', 'refused or broken', 'failed attempts'],
        rows: figures.map((one) => [
          one.city,
          one.places,
          one.seconds,
          one.requestsPerPlace,
          one.refused,
          one.failedAttempts,
        ]),
      },
    ],
    remarks: [
      ...aimRemarks(aims),
      `The hostile city took ${times.toFixed(1)} times as long and ${requests.toFixed(2)} times the requests a place.`,
    ],
  }
}
