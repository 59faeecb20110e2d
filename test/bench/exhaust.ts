import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import { metresBetween } from '@placefleet/shared/great-circle'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { simulateArea } from '../coordinator/coverage/simulated-area.ts'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import { countOption } from './arguments.ts'
import type { Progress } from './progress.ts'
import type { Report, ReportTable } from './report.ts'

const AMPLE = '100000:100000'
const KEYWORD = 'bakery'
const CENTRE = { latitude: 52.52, longitude: 13.405 }
const RADIUS = 20_000
const CITY_SEED = 11
/** One in twelve places of the city is a bakery. */
const PLACES_PER_BAKERY = 12
/** The share of places that each answer omits. */
const OMITTED = 0.46
const SIMULATED = 15_000
/** No pace, because the simulated site refuses nothing. */
const NO_PACE = { EXIT_RATE: '0' }
const HOUR_MS = 3_600_000

/**
 * Exhausts cities whose answers omit 46 % of their places: 15,000 places by the rules alone, once per seed, and `--places`
 * through the whole product in fast mode.
 */
export async function benchExhaust(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { places: { type: 'string' }, seeds: { type: 'string' } } })
  const places = countOption('places', values.places, 1_500)
  const seeds = countOption('seeds', values.seeds, 8)
  progress.begin(seeds + 1)
  const rows: number[][] = []
  for (let seed = 1; seed <= seeds; seed++) {
    progress.now(`seed ${seed}`)
    const { recall, searches, oracle, waves } = await simulateArea({ seed, places: SIMULATED, omitted: OMITTED })
    rows.push([seed, 100 * recall, searches, oracle, searches / oracle, waves])
    progress.done()
  }
  progress.now('the whole product')
  const product = await exhaustByProduct(places)
  progress.done()
  const [recall, ratio] = [Math.min(...rows.map((row) => row[1] ?? 0)), Math.max(...rows.map((row) => row[4] ?? 0))]
  const aims = [
    { aim: 'recall of at least 99 %', reached: `${recall.toFixed(2)} %`, met: recall >= 99 },
    { aim: 'at most 1.5 times the searches of an oracle', reached: ratio.toFixed(2), met: ratio <= 1.5 },
    {
      aim: 'the product: recall of at least 99 %',
      reached: `${product.recall.toFixed(2)} %`,
      met: product.recall >= 99,
    },
    { aim: 'the product: no place twice', reached: String(product.twice), met: product.twice === 0 },
  ]
  const simulated: ReportTable = {
    title: `${SIMULATED} places by the rules alone`,
    head: ['seed', 'recall %', 'searches', 'oracle', 'ratio', 'waves'],
    rows,
  }
  const measured: ReportTable = {
    title: 'Through the whole product',
    head: ['places', 'recall %', 'seconds', 'requests for searches', 'ended', 'estimate'],
    rows: [[product.truth, product.recall, product.seconds, product.requests, product.ended, product.estimate]],
  }
  return {
    figures: { bench: 'exhaust', rows, product, aims },
    tables: [simulated, measured],
    aims,
    remarks: [],
  }
}

async function exhaustByProduct(places: number) {
  const life = createLifecycle(createLogger('bench', 'fatal'))
  try {
    const city = {
      seed: CITY_SEED,
      places: places * PLACES_PER_BAKERY,
      certificate: simulatedCertificate(),
      options: { ...AS_LARGE_AS_REAL, flicker: OMITTED },
    }
    const site = life.own('site', await startMapSite(city), (started) => started.close())
    const client = await startProduct(life, site)
    return await exhaust(client, site)
  } finally {
    await life.close()
  }
}

async function startProduct(life: Lifecycle, site: MapSite): Promise<Client> {
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
    MAPS_BASE_URL: site.url,
    ...NO_PACE,
    RATE_FREE: AMPLE,
    BOOTSTRAP_CREDITS: '10000',
  }
  const { url, firstKey } = await startStandalone(readStandaloneSettings(env), createLogger('product', 'error'), life)
  return createClient(url, firstKey.key)
}

async function exhaust(client: Client, site: MapSite) {
  const started = performance.now()
  const area = { lat: String(CENTRE.latitude), lon: String(CENTRE.longitude), radius: RADIUS, max_cost: '1000' }
  const id = await client.create({ keywords: [KEYWORD], fast_mode: true, exhaust: true, ...area })
  const job = await client.ended(id, 2 * HOUR_MS)
  const seconds = (performance.now() - started) / 1_000
  const found = (await client.places(id)).map(({ data_id }) => String(data_id))
  const truth = truthOf(site)
  const distinct = new Set(found)
  const { total, low, high } = job.coverage?.estimate ?? { total: 0, low: 0, high: 0 }
  return {
    truth: truth.length,
    recall: (100 * truth.filter((key) => distinct.has(key)).length) / truth.length,
    twice: found.length - distinct.size,
    seconds,
    requests: site.requests().kinds['search-payload'] ?? 0,
    ended: job.partial_reason ?? job.status,
    estimate: `${total} (${low} to ${high})`,
  }
}

/** Returns the keys of the places in the area. */
const truthOf = ({ city }: MapSite): string[] =>
  matchesOf(CITY_SEED, city.size, KEYWORD)
    .map((index) => city.details(index))
    .filter(({ location: { lat, lon } }) => metresBetween(CENTRE, { latitude: lat, longitude: lon }) <= RADIUS)
    .map(({ ids }) => ids.dataId)
