import { auditCells } from '@placefleet/agent/collect/audit-cells'
import { type AreaSearch, searchArea, searchOf, zoomFor } from '@placefleet/agent/collect/search-area'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import type { Fault } from '@placefleet/agent/maps/requests/verdicts'
import type { SearchEnd, SearchExtent } from '@placefleet/agent/maps/search/http'
import type { Search } from '@placefleet/agent/maps/search/url'
import { circleArea } from '@placefleet/shared/area/area-of'
import { type Cell, holds, quarters } from '@placefleet/shared/cell'
import type { SearchedCell } from '@placefleet/shared/coverage'
import { createLogger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { filterOf } from '@placefleet/shared/place-filter'
import { describe, expect, test } from 'vitest'
import { PARAMETERS, WITH_CHROMIUM } from '../../harness/agents/task-parameters.ts'
import { CENTRE } from './collecting.ts'

/** Answers the n-th search: `fresh` new places, a fault that it fails with, or its end. */
type Site = (
  nth: number,
  cell: SearchExtent['cell'],
) => Partial<SearchEnd> & { fresh?: number; fault?: Fault | undefined }

/** Returns the searches of a site in a circle around the centre, and what they lead to so far. */
function areaOn(site: Site, radius = 5_000) {
  const [looks, cells, outcomes]: [Search[], SearchedCell[], ReturnType<typeof noOutcomes>] = [[], [], noOutcomes()]
  let found = 0
  const area: AreaSearch = {
    async searchCell(search, { cell }, listed) {
      looks.push(search)
      const { fresh = 1, fault, ...end } = site(looks.length, cell)
      if (fault) throw new MapFailed(fault)
      found += fresh
      listed.add(`place ${looks.length}`)
      const answer = { hasPlaces: true, limited: false, cut: false, ...end }
      return { answer, limited: false, postponed: false }
    },
    record: (cell) => void cells.push(cell),
    listedCount: () => found,
    acceptedCount: () => 0,
  }
  const parameters = { ...PARAMETERS, ...CENTRE, radius }
  const { signal } = new AbortController()
  const log = createLogger('test', 'silent')
  const filter = filterOf(parameters)
  const task = { parameters, filter, places_wanted: 500, ...WITH_CHROMIUM, outcomes, signal, log }
  const inState = (wanted: string) => cells.filter(({ state }) => state === wanted)
  return {
    looks,
    cells,
    outcomes,
    inState,
    search: (only?: readonly Cell[]) => searchArea(task, 'cafe', area, only),
    audit: (audited: Cell[]) => auditCells(task, 'the "cafe', audited, area),
  }
}

const PARTS = quarters(circleArea({ ...CENTRE, radius: 5_000 }).bounds)
const [first = expect.fail('no part'), second = first] = PARTS
const isFirst = (cell: Cell | undefined) => JSON.stringify(cell) === JSON.stringify(first)

test('only a search that was cut is followed by those of its quarters', async () => {
  const { search, looks, inState, outcomes } = areaOn((nth) => ({ cut: nth === 1 || nth === 3 }))
  await search()
  const [zoom = 0, ...zooms] = looks.map(({ viewport }) => viewport?.zoom ?? 0)
  expect(zooms).toEqual([1, 1, 1, 1, 2, 2, 2, 2].map((closer) => zoom + closer))
  expect(outcomes.limited).toBe(0)
  expect(['unsearched', 'cut', 'searched'].map((state) => inState(state).length)).toEqual([9, 2, 7])
})

test('a spot whose smallest cell is still cut counts as limited', async () => {
  const spot = { latitude: 52.5213, longitude: 13.4061 }
  const { search, looks, outcomes } = areaOn((_nth, cell) => ({ cut: cell !== undefined && holds(cell, spot) }), 2_000)
  await search()
  expect(outcomes.limited).toBe(1)
  expect(looks.length).toBeLessThan(30)
})

test('the search ends on a site that shows the same places everywhere', async () => {
  const { search, looks, outcomes } = areaOn((nth) => ({ cut: true, fresh: nth === 1 ? 120 : 0 }), 50_000)
  await search()
  expect(looks.length).toBe(61)
  expect(outcomes.limited).toBe(1)
})

test('the area is recorded as blocked where the site does not answer, and as unsearched where nobody looked', async () => {
  const { search, cells } = areaOn((nth) => ({ cut: nth === 1, fault: nth > 2 ? 'exit_refused' : undefined }))
  await expect(search()).rejects.toMatchObject({ code: 'blocked' })
  const last = new Map(cells.map((cell) => [JSON.stringify(cell.bounds), cell.state]))
  expect([...last.values()].sort()).toEqual(['blocked', 'blocked', 'blocked', 'cut', 'searched'])
})

test('a first search without an answer fails the task, and counts once', async () => {
  const { search, looks, outcomes } = areaOn(() => ({ fault: 'timeout' }))
  await expect(search()).rejects.toMatchObject({ code: 'source_unavailable' })
  expect([looks.length, outcomes.timeout]).toEqual([1, 1])
})

test('a part that cannot be searched is put off, and costs nothing when it can be in the end', async () => {
  const { search, looks, outcomes } = areaOn((nth) => ({
    cut: nth === 1,
    fault: nth === 2 || nth === 3 ? 'timeout' : undefined,
  }))
  await search()
  expect(looks.length).toBe(1 + 4 + 2)
  expect(outcomes.timeout).toBe(0)
})

test('parts that cannot be searched at all fail the task, and count once each', async () => {
  const { search, outcomes } = areaOn((nth) => ({ cut: nth === 1, fault: nth > 1 ? 'timeout' : undefined }))
  await expect(search()).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(outcomes.timeout).toBe(4)
})

test('a part in an unknown format costs the area nothing else', async () => {
  const { search, looks, inState, outcomes } = areaOn((nth, cell) => ({
    cut: nth === 1,
    fault: nth > 1 && isFirst(cell) ? 'layout' : undefined,
  }))
  await search()
  expect(looks).toHaveLength(1 + 4 + 1)
  expect(outcomes.broken).toBe(1)
  expect(inState('searched')).toHaveLength(3)
  expect(inState('blocked').map(({ bounds }) => bounds)).toEqual([first, first])
})

describe('given cells', () => {
  test('are searched in their order, as often as they are named, and not divided', async () => {
    const { search, looks, inState } = areaOn(() => ({ cut: true }))
    await search([first, second, first])
    expect(looks).toHaveLength(3)
    expect(inState('cut').map(({ bounds, look }) => [bounds, look])).toEqual([
      [first, 0],
      [second, 0],
      [first, 1],
    ])
  })

  test('without an answer are tried twice', async () => {
    const { search, looks, inState, outcomes } = areaOn((_nth, cell) => ({
      fresh: 0,
      fault: isFirst(cell) ? 'timeout' : undefined,
    }))
    await search(PARTS)
    expect(looks).toHaveLength(5)
    expect(inState('blocked').map(({ bounds, look }) => [bounds, look])).toEqual([
      [first, 0],
      [first, 0],
    ])
    expect(outcomes.timeout).toBe(1)
  })

  test('fail the task only when no cell was answered', async () => {
    const { search, outcomes } = areaOn(() => ({ fault: 'timeout' }))
    await expect(search(PARTS)).rejects.toMatchObject({ code: 'source_unavailable' })
    expect(outcomes.timeout).toBe(4)
  })
})

describe('an audit', () => {
  const CELL = { south: 52.5, north: 52.6, west: 13.4, east: 13.6 }

  test('searches a cell again around two other centres of it, once in another wording', async () => {
    const { audit, looks, cells } = areaOn(() => ({}))
    await audit([CELL])
    expect(looks.map(({ query }) => query)).toEqual(['the "cafe', '"the  cafe"'])
    for (const { viewport } of looks) expect(holds(CELL, viewport ?? {})).toBe(true)
    expect(looks[0]?.viewport).not.toEqual(looks[1]?.viewport)
    expect(cells).toEqual([
      { bounds: CELL, audit: 'shifted', state: 'searched', places: 1, place_keys: ['place 1'], look: 0 },
      { bounds: CELL, audit: 'reworded', state: 'searched', places: 1, place_keys: ['place 2'], look: 0 },
    ])
  })

  test('records a search without an answer as blocked, and goes on', async () => {
    const { audit, cells } = areaOn((nth) => ({ fault: nth === 1 ? 'timeout' : undefined }))
    await audit([CELL])
    expect(cells.map(({ state }) => state)).toEqual(['blocked', 'searched'])
  })

  test('repeats the search of no area in another wording', async () => {
    const { audit, looks, cells } = areaOn(() => ({}), 0)
    await audit([])
    expect(looks).toHaveLength(1)
    expect(cells).toMatchObject([{ audit: 'reworded', places: 1 }])
    expect(cells[0]).not.toHaveProperty('bounds')
  })
})

test('a search uses the requested viewport and zoom, else that of a town quarter', () => {
  expect(searchOf('cafe', PARAMETERS)).toEqual({ query: 'cafe' })
  const here = { ...PARAMETERS, latitude: 1, longitude: 2 }
  expect(searchOf('cafe', here).viewport).toEqual({ latitude: 1, longitude: 2, zoom: 14 })
  expect(searchOf('cafe', { ...here, zoom: 17, radius: 50_000 }).viewport?.zoom).toBe(17)
})

test.each([
  { metres: 7_337, latitude: 0, zoom: 13 },
  { metres: 7_338, latitude: 0, zoom: 12 },
  { metres: 3_668, latitude: 60, zoom: 13 },
  { metres: 3_669, latitude: 60, zoom: 12 },
  { metres: 114, latitude: 0, zoom: 19 },
  { metres: 115, latitude: 0, zoom: 18 },
  { metres: 1, latitude: 0, zoom: 19 },
  { metres: 50_000, latitude: 1, zoom: 10 },
  { metres: 20_000_000, latitude: 0, zoom: 3 },
])('a circle of $metres metres at latitude $latitude fits into a map of 768 pixels at zoom $zoom', (row) => {
  expect(zoomFor(row.metres, row.latitude)).toBe(row.zoom)
})
