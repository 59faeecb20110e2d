import { type AreaSearch, searchArea } from '@placefleet/agent/collect/search-area'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import type { SearchEnd, SearchExtent } from '@placefleet/agent/maps/search/http'
import type { Search } from '@placefleet/agent/maps/search/url'
import { circleArea } from '@placefleet/shared/area/area-of'
import { type Cell, quarters } from '@placefleet/shared/cell'
import type { SearchedCell } from '@placefleet/shared/coverage'
import { createLogger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { filterOf } from '@placefleet/shared/place-filter'
import { expect, test } from 'vitest'
import { PARAMETERS, WITH_CHROMIUM } from '../../harness/agents/task-parameters.ts'

type Answer = Partial<SearchEnd> & { fresh?: number }

/** Searches a circle on a site with given answers, and returns the searched cells. */
async function searching(
  radius: number,
  answer: (search: Search, extent: SearchExtent, nth: number) => Answer,
  cells: SearchedCell[] = [],
  outcomes = noOutcomes(),
  only?: readonly Cell[],
) {
  const looks: Search[] = []
  let found = 0
  const area: AreaSearch = {
    async searchCell(search, extent) {
      looks.push(search)
      const { fresh = 1, ...end } = answer(search, extent, looks.length)
      found += fresh
      return {
        answer: { hasPlaces: true, limited: false, cut: false, ...end },
        limited: false,
        postponed: false,
      }
    },
    record: (cell) => void cells.push(cell),
    listedCount: () => found,
    acceptedCount: () => 0,
  }
  const parameters = { ...PARAMETERS, latitude: 52.52, longitude: 13.405, radius }
  const { signal } = new AbortController()
  const task = {
    parameters,
    filter: filterOf(parameters),
    places_wanted: 500,
    ...WITH_CHROMIUM,
    outcomes,
    signal,
    log: createLogger('test', 'silent'),
  }
  const done = searchArea(task, 'cafe', area, only)
  await done
  return { looks, cells, outcomes }
}

test('only a search that was cut is followed by those of its quarters', async () => {
  const { looks, cells, outcomes } = await searching(5_000, (_search, _extent, nth) => ({
    cut: nth === 1 || nth === 3,
  }))
  expect(looks.length).toBe(1 + 4 + 4)
  const zooms = looks.map(({ viewport }) => viewport?.zoom ?? 0)
  expect(zooms[1]).toBe((zooms[0] ?? 0) + 1)
  expect(zooms[8]).toBe((zooms[0] ?? 0) + 2)
  expect(outcomes.limited).toBe(0)
  const states = Object.groupBy(cells, ({ state }) => state)
  expect([states.unsearched?.length, states.cut?.length, states.searched?.length]).toEqual([9, 2, 7])
})

test('a spot whose smallest cell is still cut counts as limited', async () => {
  const spot = { latitude: 52.5213, longitude: 13.4061 }
  const { outcomes, looks } = await searching(2_000, (_search, { cell }) => ({
    cut:
      cell !== undefined &&
      spot.latitude >= cell.south &&
      spot.latitude < cell.north &&
      spot.longitude >= cell.west &&
      spot.longitude < cell.east,
  }))
  expect(outcomes.limited).toBe(1)
  expect(looks.length).toBeLessThan(30)
})

test('the search ends on a site that shows the same places everywhere', async () => {
  const { outcomes, looks } = await searching(50_000, (_search, _extent, nth) => ({
    cut: true,
    fresh: nth === 1 ? 120 : 0,
  }))
  expect(looks.length).toBe(61)
  expect(outcomes.limited).toBe(1)
})

test('the area is recorded as blocked where the site does not answer, and as unsearched where nobody looked', async () => {
  const cells: SearchedCell[] = []
  const blocked = (_search: Search, _extent: SearchExtent, nth: number) => {
    if (nth > 2) throw new MapFailed('exit_refused')
    return { cut: nth === 1 }
  }
  await expect(searching(5_000, blocked, cells)).rejects.toMatchObject({ code: 'blocked' })
  const last = new Map(cells.map((cell) => [JSON.stringify(cell.bounds), cell.state]))
  expect([...last.values()].sort()).toEqual(['blocked', 'blocked', 'blocked', 'cut', 'searched'])
})

test('a part that cannot be searched is put off, and fails the task when it still cannot', async () => {
  const failing = (times: number) => {
    let failed = 0
    return (_search: Search, _extent: SearchExtent, nth: number) => {
      if (nth > 1 && failed++ < times) throw new MapFailed('timeout')
      return { cut: nth === 1 }
    }
  }
  const { looks, outcomes } = await searching(5_000, failing(2))
  expect(looks.length).toBe(1 + 4 + 2)
  expect(outcomes.timeout).toBe(0) // in the end every part was searched
  const counted = noOutcomes()
  await expect(searching(5_000, failing(9), [], counted)).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(counted.timeout).toBe(4) // each part once
  const blocked = (_search: Search, _extent: SearchExtent, nth: number) => {
    if (nth > 1) throw new MapFailed('exit_refused')
    return { cut: true }
  }
  await expect(searching(5_000, blocked)).rejects.toMatchObject({ code: 'blocked' })
})

test('a part in an unknown format costs the area nothing else', async () => {
  const cells: SearchedCell[] = []
  const unreadable = (_search: Search, { cell }: SearchExtent, nth: number) => {
    if (nth > 1 && JSON.stringify(cell) === JSON.stringify(first)) throw new MapFailed('layout')
    return { cut: nth === 1 }
  }
  const { looks, outcomes } = await searching(5_000, unreadable, cells)
  expect(looks).toHaveLength(1 + 4 + 1)
  expect(outcomes.broken).toBe(1)
  expect(cells.filter(({ state }) => state === 'searched')).toHaveLength(3)
  expect(cells.filter(({ state }) => state === 'blocked').map(({ bounds }) => bounds)).toEqual([first, first])
})

const PARTS = quarters(circleArea({ latitude: 52.52, longitude: 13.405, radius: 5_000 }).bounds)
const [first = expect.fail('no part'), second = first] = PARTS

test('given cells are searched in their order, as often as they are named, and not divided', async () => {
  const { cells, looks } = await searching(5_000, () => ({ cut: true }), [], noOutcomes(), [first, second, first])
  expect(looks).toHaveLength(3)
  const answered = cells.filter(({ state }) => state === 'cut').map(({ bounds, look }) => [bounds, look])
  expect(answered).toEqual([
    [first, 0],
    [second, 0],
    [first, 1],
  ])
})

test('a given cell without an answer is tried twice, and fails the task only when no cell was answered', async () => {
  const failingIn =
    (failing: readonly Cell[]) =>
    (_search: Search, { cell }: SearchExtent) => {
      if (cell && failing.includes(cell)) throw new MapFailed('timeout')
      return { fresh: 0 }
    }
  const { looks, cells, outcomes } = await searching(5_000, failingIn([first]), [], noOutcomes(), PARTS)
  expect(looks).toHaveLength(5)
  expect(cells.filter(({ state }) => state === 'blocked').map(({ bounds, look }) => [bounds, look])).toEqual([
    [first, 0],
    [first, 0],
  ])
  expect(outcomes.timeout).toBe(1)

  const counted = noOutcomes()
  const all = searching(5_000, failingIn(PARTS), [], counted, PARTS)
  await expect(all).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(counted.timeout).toBe(4)
})
