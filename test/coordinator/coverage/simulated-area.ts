import { type AreaSearch, searchArea } from '@placefleet/agent/collect/search-area'
import type { Search } from '@placefleet/agent/maps/search/url'
import { cellKey } from '@placefleet/coordinator/coverage/documents'
import {
  type CellSearch,
  estimateArea,
  findingsOf,
  isPartlyBlocked,
  type MappedCell,
  nextSearches,
  type SearchedArea,
} from '@placefleet/coordinator/coverage/exhaustion'
import { CELLS_IN_TASK, CELLS_IN_WAVE } from '@placefleet/coordinator/jobs/search-on'
import { circleArea } from '@placefleet/shared/area/area-of'
import { type Cell, holds } from '@placefleet/shared/cell'
import type { SearchedCell } from '@placefleet/shared/coverage'
import { metresBetween } from '@placefleet/shared/great-circle'
import { createLogger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { filterOf } from '@placefleet/shared/place-filter'
import { PARAMETERS, WITH_CHROMIUM } from '../../harness/agents/task-parameters.ts'

/** The most places that one answer of the site holds. */
const MOST_IN_ANSWER = 120

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

/** The result of exhausting a simulated city. */
export type SimulatedArea = {
  /** The share of the places that can be seen at all which it found. */
  recall: number
  searches: number
  /** The searches that an oracle needs for 99 %: it knows how many places each cell has, and when they are found. */
  oracle: number
  waves: number
  estimate: { total: number; low: number; high: number } | undefined
  places: number
}

/** Exhausts a simulated city, by the rules of the agent and of the coordinator. */
export async function simulateArea(city: SimulatedCity): Promise<SimulatedArea> {
  const site = siteOf(city)
  const area: SearchedArea = { area: circleArea({ ...CENTRE, radius: RADIUS }), keywords: [KEYWORD] }
  const listed = new Set<string>()
  const looked = new Map<string, Search>()
  const cells = new Map<string, StoredCell>()
  const mapNow = () => [...cells.values()].map(mapped)
  let [searches, waves] = [0, 0]
  for (;;) {
    const wave = nextSearches(mapNow(), area, { seed: 'seed', most: CELLS_IN_WAVE })
    if (wave.length === 0) break
    waves++
    for (let at = 0; at < wave.length; at += CELLS_IN_TASK) {
      const records = await searchOnce(site, wave.slice(at, at + CELLS_IN_TASK), listed, looked)
      searches += records.length
      for (const record of records) store(cells, record)
    }
  }
  const map = mapNow()
  if (isPartlyBlocked(map)) throw new Error('the simulated site blocks nothing')
  const { visible, oracle } = oracleOf(site, map, looked, city)
  const recall = visible.filter((key) => listed.has(key)).length / visible.length
  return { recall, searches, oracle, waves, estimate: estimateArea(map, area, listed.size), places: visible.length }
}

type StoredCell = { bounds: Cell; state: SearchedCell['state']; looks: string[][] }

function store(cells: Map<string, StoredCell>, { bounds, state, place_keys }: SearchedCell): void {
  if (!bounds) throw new Error('a search without an area')
  const cell = cells.get(cellKey(bounds))
  if (cell) cell.looks.push(place_keys)
  else cells.set(cellKey(bounds), { bounds, state, looks: [place_keys] })
}

const mapped = ({ bounds, state, looks }: StoredCell): MappedCell => ({
  ...findingsOf(looks),
  keyword: KEYWORD,
  bounds,
  state,
  blocks: 0,
})

/** Runs one task. Adds what it lists to `listed`, and the search of each cell to `looked`. */
async function searchOnce(
  site: ReturnType<typeof siteOf>,
  wave: readonly CellSearch[],
  listed: Set<string>,
  looked: Map<string, Search>,
): Promise<SearchedCell[]> {
  const records: SearchedCell[] = []
  const seen = new Set<string>()
  const area: AreaSearch = {
    async searchCell(search, { cell }, inCell) {
      if (cell) looked.set(cellKey(cell), search)
      for (const place of site.answer(search)) {
        seen.add(place.place_key)
        listed.add(place.place_key)
        if (!cell || holds(cell, place)) inCell.add(place.place_key)
      }
      const cut = site.listable(search).length === MOST_IN_ANSWER
      return { answer: { hasPlaces: true, limited: false, cut }, limited: false, postponed: false }
    },
    record: (cell) => void (cell.state !== 'unsearched' && records.push(cell)),
    listedCount: () => seen.size,
    acceptedCount: () => seen.size,
  }
  const parameters = { ...PARAMETERS, ...CENTRE, radius: RADIUS }
  const { signal } = new AbortController()
  const log = createLogger('test', 'silent')
  const filter = filterOf(parameters)
  const task = { parameters, filter, places_wanted: 100_000, ...WITH_CHROMIUM, outcomes: noOutcomes(), signal, log }
  await searchArea(
    task,
    KEYWORD,
    area,
    wave.map(({ bounds }) => bounds),
  )
  return records
}

/**
 * Counts the searches of an oracle on the undivided cells of the map: each time it searches the cell with the most places
 * that it has not found yet, until it has found 99 % of all.
 */
function oracleOf(
  site: ReturnType<typeof siteOf>,
  map: readonly MappedCell[],
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
