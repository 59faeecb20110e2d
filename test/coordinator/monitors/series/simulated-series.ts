import { type AreaSearch, searchArea } from '@placefleet/agent/collect/search-area'
import { enclosing } from '@placefleet/agent/maps/search/cell'
import type { Search } from '@placefleet/agent/maps/search/url'
import { cellKey } from '@placefleet/coordinator/coverage/documents'
import { nextParts, totalOf } from '@placefleet/coordinator/monitors/series/exhaustion'
import { afterSearches, type CellSearch, nameOf, type SeriesCell } from '@placefleet/coordinator/monitors/series/map'
import { endAfter } from '@placefleet/coordinator/monitors/series/next-job'
import { type Cell, holds } from '@placefleet/shared/cell'
import type { Parts, SearchedCell } from '@placefleet/shared/coverage'
import { metresBetween } from '@placefleet/shared/great-circle'
import { createLogger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { PARAMETERS, WITH_CHROMIUM } from '../../../harness/agents/task-parameters.ts'

/** The most places that one answer of the site holds. */
const MOST_IN_ANSWER = 120

/** The most places that a job stores. */
const CAP = 500

const KEYWORD = 'cafe'
const CENTRE = { latitude: 52.52, longitude: 13.405 }
const RADIUS = 12_000

type Place = { place_key: string; latitude: number; longitude: number }

/** A city whose places the test knows. Each answer of its site omits this share of its places at random. */
export type SimulatedCity = { seed: number; places: number; omitted: number }

/** Returns numbers from 0 to 1 that follow from the seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns places of a circle in the order of relevance: most in quarters of different size, some anywhere. */
function placesOf({ seed, places }: SimulatedCity): Place[] {
  const random = randomOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  const quarters = Array.from({ length: 12 }, () => ({
    north: 0.06 * normal(),
    east: 0.1 * normal(),
    size: 0.004 + 0.03 * random(),
  }))
  const found: Place[] = []
  while (found.length < places) {
    const quarter = quarters[Math.floor(random() * (quarters.length + 2))] ?? { north: 0, east: 0, size: 0.06 }
    const latitude = CENTRE.latitude + quarter.north + quarter.size * normal()
    const longitude = CENTRE.longitude + quarter.east + 1.6 * quarter.size * normal()
    if (metresBetween(CENTRE, { latitude, longitude }) > RADIUS) continue
    found.push({ place_key: `0x${found.length.toString(16)}:0x1`, latitude, longitude })
  }
  return found
}

/** The site of a city: the places that a search may list, and one answer to it. */
function siteOf(city: SimulatedCity) {
  const places = placesOf(city)
  const random = randomOf(city.seed + 7_919)
  const listable = ({ viewport }: Search): Place[] => {
    if (!viewport) return []
    const half = (40_075_017 * 384) / (256 * 2 ** viewport.zoom * 111_320)
    const high = half * Math.cos((viewport.latitude * Math.PI) / 180)
    const listed: Place[] = []
    for (const place of places) {
      const isInside =
        Math.abs(place.latitude - viewport.latitude) <= high && Math.abs(place.longitude - viewport.longitude) <= half
      if (isInside) listed.push(place)
      if (listed.length === MOST_IN_ANSWER) break
    }
    return listed
  }
  return { places, listable, answer: (search: Search) => listable(search).filter(() => random() >= city.omitted) }
}

/** The result of a series on a simulated city. */
export type SimulatedSeries = {
  /** The share of the places that can be seen at all which it found. */
  recall: number
  searches: number
  /** The searches that an oracle needs for 99 %: it knows how many places each cell has, and when they are found. */
  oracle: number
  jobs: number
  ended: string
  estimate: { low: number; high: number }
  places: number
}

/** Runs a series on a simulated city, by the rules of the agent and of the coordinator. */
export async function simulateSeries(city: SimulatedCity): Promise<SimulatedSeries> {
  const site = siteOf(city)
  const listed = new Set<string>()
  const looked = new Map<string, Search>()
  let map: SeriesCell[] = []
  let [searches, stored] = [0, 0]
  for (let number = 1; ; number++) {
    const parts = number === 1 ? { cells: [], again: [] } : nextParts(map, [KEYWORD], 'seed').get(KEYWORD)
    if (listed.size - stored < CAP && parts) {
      const records = await searchOnce(site, parts, listed, looked)
      searches += records.filter(({ state }) => state !== 'unsearched').length
      map = merged(map, records, number)
    }
    const waiting = Math.max(0, listed.size - stored - CAP)
    stored = Math.min(listed.size, stored + CAP)
    const end = endAfter({
      job: { status: 'completed', number },
      ...{ waiting, open: nextParts(map, [KEYWORD], 'seed').size, blocked: 0, progressed: true },
      ...{ left: Infinity, least: 0, limited: false },
    })
    if (!end && number < 1_000) continue
    const { low = 0, high = 0 } = totalOf(map, listed.size) ?? {}
    const estimate = { low: Math.max(listed.size, low), high: Math.max(listed.size, high) }
    const { visible, oracle } = oracleOf(site, map, looked, city)
    const found = visible.filter((key) => listed.has(key)).length
    const recall = found / visible.length
    return { recall, searches, oracle, jobs: number, ended: end?.ended ?? 'never', estimate, places: visible.length }
  }
}

/** Runs the search of one job. Adds what it lists to `listed`, and the search of each cell to `looked`. */
async function searchOnce(
  site: ReturnType<typeof siteOf>,
  parts: Parts,
  listed: Set<string>,
  looked: Map<string, Search>,
): Promise<SearchedCell[]> {
  const records: SearchedCell[] = []
  const seen = new Set<string>()
  const area: AreaSearch = {
    async look(search, { cell }, inCell) {
      if (cell) looked.set(cellKey(cell), search)
      for (const place of site.answer(search)) {
        seen.add(place.place_key)
        listed.add(place.place_key)
        if (!cell || holds(cell, place)) inCell.add(place.place_key)
      }
      const cut = site.listable(search).length === MOST_IN_ANSWER
      return { answer: { found: true, limited: false, cut, foreign: 0 }, limited: false, undecided: false }
    },
    record: (cell) => void records.push(cell),
    found: () => seen.size,
    certain: () => seen.size,
  }
  const parameters = { ...PARAMETERS, ...CENTRE, radius: RADIUS }
  const { signal } = new AbortController()
  const log = createLogger('test', 'silent')
  await searchArea(
    { parameters, places_wanted: 2_500, ...WITH_CHROMIUM, outcomes: noOutcomes(), signal, log },
    KEYWORD,
    area,
    parts,
  )
  return records
}

/** Adds the records of one job to the map, as the coordinator keeps them: one for each cell, with its looks. */
function merged(map: SeriesCell[], records: readonly SearchedCell[], number: number): SeriesCell[] {
  const searches = new Map<string, CellSearch & { bounds: Cell }>()
  for (const { bounds = enclosing({ ...CENTRE, radius: RADIUS }), state, places, place_keys, look } of records) {
    const before = searches.get(cellKey(bounds))
    const answered = state === 'searched' || state === 'cut'
    const looks = answered ? { ...before?.looks, [look]: place_keys } : before?.looks
    if (before && !answered) continue
    searches.set(cellKey(bounds), { keyword: KEYWORD, bounds, state, places, looks })
  }
  const changed = afterSearches(map, [...searches.values()], number)
  return [...new Map([...map, ...changed].map((cell) => [nameOf(cell), cell])).values()]
}

/**
 * Counts the searches of an oracle on the undivided cells of the map: each time it searches the cell with the most places
 * that it has not found yet, until it has found 99 % of all.
 */
function oracleOf(
  site: ReturnType<typeof siteOf>,
  map: readonly SeriesCell[],
  looked: ReadonlyMap<string, Search>,
  { seed, omitted }: SimulatedCity,
): { visible: string[]; oracle: number } {
  const random = randomOf(seed + 104_729)
  const cells = map
    .filter(({ state }) => state === 'searched')
    .map(({ bounds }) => {
      const search = looked.get(cellKey(bounds))
      const keys = search ? site.listable(search).filter((place) => holds(bounds, place)) : []
      return { left: keys.map(({ place_key }) => place_key) }
    })
  const visible = cells.flatMap(({ left }) => left)
  let [left, oracle] = [visible.length, 0]
  while (left > 0.01 * visible.length) {
    const next = cells.reduce((most, cell) => (cell.left.length > most.left.length ? cell : most))
    const missed = next.left.filter(() => random() < omitted)
    left -= next.left.length - missed.length
    next.left = missed
    oracle++
  }
  return { visible, oracle }
}
