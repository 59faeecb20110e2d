import { auditCells } from '@placefleet/agent/collect/audit-cells'
import type { AreaSearch } from '@placefleet/agent/collect/search-area'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import type { Fault } from '@placefleet/agent/maps/requests/verdicts'
import type { Search } from '@placefleet/agent/maps/search/url'
import { holds } from '@placefleet/shared/cell'
import type { SearchedCell } from '@placefleet/shared/coverage'
import { createLogger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { filterOf } from '@placefleet/shared/place-filter'
import { expect, test } from 'vitest'
import { PARAMETERS, WITH_CHROMIUM } from '../../harness/agents/task-parameters.ts'

const CELL = { south: 52.5, north: 52.6, west: 13.4, east: 13.6 }

/** Audits cells on a site whose n-th search fails so. */
async function auditing(cells: (typeof CELL)[], faults: Record<number, Fault> = {}) {
  const recorded: SearchedCell[] = []
  const searches: Search[] = []
  const area: AreaSearch = {
    async searchCell(search, _extent, listed) {
      searches.push(search)
      const fault = faults[searches.length]
      if (fault) throw new MapFailed(fault)
      listed.add(`place ${searches.length}`)
      return {
        limited: false,
        postponed: false,
        answer: { hasPlaces: true, limited: false, cut: false },
      }
    },
    record: (cell) => void recorded.push(cell),
    listedCount: () => 1,
    acceptedCount: () => 0,
  }
  const parameters = { ...PARAMETERS, latitude: 52.52, longitude: 13.405, radius: cells.length > 0 ? 5_000 : 0 }
  const { signal } = new AbortController()
  const task = {
    parameters,
    filter: filterOf(parameters),
    places_wanted: 500,
    ...WITH_CHROMIUM,
    outcomes: noOutcomes(),
    signal,
    log: createLogger('test', 'silent'),
  }
  await auditCells(task, 'the "cafe', cells, area)
  return { recorded, searches }
}

test('a cell is searched again around two other centres of it, once in another wording', async () => {
  const { recorded, searches } = await auditing([CELL])
  expect(searches.map(({ query }) => query)).toEqual(['the "cafe', '"the  cafe"'])
  for (const { viewport } of searches) expect(holds(CELL, viewport ?? {})).toBe(true)
  expect(searches[0]?.viewport).not.toEqual(searches[1]?.viewport)
  expect(recorded).toEqual([
    { bounds: CELL, audit: 'shifted', state: 'searched', places: 1, place_keys: ['place 1'], look: 0 },
    { bounds: CELL, audit: 'reworded', state: 'searched', places: 1, place_keys: ['place 2'], look: 0 },
  ])
})

test('a search of the audit without an answer is recorded as blocked, and the audit goes on', async () => {
  const { recorded } = await auditing([CELL], { 1: 'timeout' })
  expect(recorded.map(({ state }) => state)).toEqual(['blocked', 'searched'])
})

test('without an area the search is repeated in another wording', async () => {
  const { recorded, searches } = await auditing([])
  expect(searches).toHaveLength(1)
  expect(recorded).toMatchObject([{ audit: 'reworded', places: 1 }])
  expect(recorded[0]).not.toHaveProperty('bounds')
})
