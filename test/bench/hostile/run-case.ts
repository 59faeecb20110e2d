import { isDeepStrictEqual } from 'node:util'
import { type Collector, createCollector } from '@placefleet/agent/collect/collector'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { createLogger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { collectJob } from '../../harness/agents/collect-job.ts'
import { comparable } from '../../harness/agents/comparable.ts'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'
import { type HostileProxies, startHostileProxies } from '../../harness/network/hostile-proxies.ts'
import type { Case } from './cases.ts'
import { refusalsOf } from './rests.ts'

/**
 * The result and cost of collecting in one city. `whole`: places with every field equal to the truth. `requestsAPlace`:
 * without those for reviews and for the scripts of pages. `spent`: attempts spent on a block.
 */
export type Figures = Awaited<ReturnType<typeof runCase>>

const KEYWORD = 'bakery'
const CITY = 564
const PROXIES = 20
const SLOTS = 4
const REVIEWS = 30
const REST_MS = 1_000
/** As in production, one request of an exit at a time, but faster. */
const EXITS = { pace: { start: 12_000, most: 12_000 }, inFlight: 1, restMs: REST_MS }
/** Rests vary by half. */
const SHORTEST_REST_MS = REST_MS / 2
/** A block of an address lasts longer than any run. */
const FOREVER = 600_000
const LONGEST_MS = 540_000

const parameters = { ...PARAMETERS, max_images: 0, max_reviews: REVIEWS }

/** Collects the places of one keyword in a city, and compares them with the truth. A run ends after nine minutes. */
export async function runCase(one: Case) {
  const crowd = one.proxies ? await startHostileProxies(PROXIES, true) : undefined
  const rateLimit = { requests: 15, windowMs: FOREVER, blockMs: FOREVER, addresses: [...(crowd?.watched ?? [])] }
  const options = { ...AS_LARGE_AS_REAL, ...one.options, ...(crowd ? { rateLimit } : {}) }
  const site = await startMapSite({ seed: 7, places: one.city ?? CITY, certificate: simulatedCertificate(), options })
  const collector = openCollector(site, crowd)
  try {
    const proxies = (crowd?.proxies ?? []).map(({ url }) => url)
    return await measured(site, collector, proxies)
  } finally {
    await collector.close()
    await site.close()
    await crowd?.close()
  }
}

function openCollector(site: MapSite, crowd: HostileProxies | undefined): Collector {
  const proxies = (crowd?.proxies ?? []).map(({ url }) => new URL(url).host)
  return createCollector({
    mapsBaseUrl: site.url,
    rung: 'auto',
    allowHosts: new Set(['127.0.0.1', ...proxies]), // the consent page may have an origin of its own
    exits: EXITS,
    sandbox: process.getuid?.() !== 0,
    log: createLogger('bench', process.env.BENCH_LOG ?? 'silent'),
  })
}

async function measured(site: MapSite, collector: Collector, proxies: readonly string[]) {
  const started = performance.now()
  const job = { keyword: KEYWORD, parameters, proxies, slots: SLOTS, places_wanted: 500 }
  const ended = await collectJob(collector, job, AbortSignal.timeout(LONGEST_MS))
  const seconds = (performance.now() - started) / 1_000
  const found = new Map(ended.places.map((place) => [place.place_key, place]))
  const { order, mostResults } = site.options()
  const truth = site.city.search(KEYWORD, undefined, { order, most: mostResults })
  const { total, refusals, kinds } = site.requests()
  const { reviews = 0, asset = 0, image = 0 } = kinds
  return {
    ...comparedWith(site, truth, found),
    seconds,
    requests: total,
    requestsAPlace: (total - reviews - asset - image) / found.size,
    ...refusalsOf(refusals, SHORTEST_REST_MS),
    snoozes: ended.snoozes,
    spent: ended.failures.filter((failure) => failure.startsWith('blocked')).length,
  }
}

function comparedWith(site: MapSite, truth: readonly number[], found: ReadonlyMap<string, Place>) {
  const counts = { places: 0, truth: truth.length, whole: 0, reviews: 0, reviewsTruth: 0 }
  for (const index of truth) {
    const expected = site.city.place(index)
    const place = found.get(expected.place_key)
    counts.reviewsTruth += Math.min(REVIEWS, site.city.reviews(index).length)
    if (!place) continue
    counts.places++
    counts.reviews += (place.user_reviews?.length ?? 0) + (place.user_reviews_extended?.length ?? 0)
    if (isDeepStrictEqual(fieldsOf(place), fieldsOf(expected))) counts.whole++
  }
  return counts
}

/** Returns the compared fields of a place. Reviews are counted separately, and no images were requested. */
function fieldsOf({
  user_reviews: _shown,
  user_reviews_extended: _paged,
  images: _none,
  ...place
}: Place): Record<string, unknown> {
  return comparable(place)
}
