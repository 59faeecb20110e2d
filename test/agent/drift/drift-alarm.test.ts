import { createDriftAlarm, drifted, NO_RATES, WINDOW, withPlace } from '@placefleet/agent/drift/drift-alarm'
import { PLACE_PATHS, type WatchedPath } from '@placefleet/agent/drift/watched-paths'
import type { Place } from '@placefleet/shared/place'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'

const WATCHED: readonly WatchedPath[] = [
  { field: 'title', path: '[11]', least: 0.9 },
  { field: 'phone', path: '[178]', least: 0.02 },
]
const bare = (fields: Partial<Place>): Partial<Place> => fields
const rated = (places: readonly Partial<Place>[]) =>
  places.reduce((rates, place) => withPlace(rates, place, WATCHED), NO_RATES)
const pathsOf = (places: readonly Partial<Place>[]) => drifted(rated(places), WATCHED).map(({ path }) => path)

test('no alarm before a whole window of places', () => {
  expect(pathsOf(Array(WINDOW - 1).fill({}))).toEqual([])
  expect(pathsOf(Array(WINDOW).fill({}))).toEqual(['[11]', '[178]'])
})

test('a path drifts exactly when fewer places than its least share have it, in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: WINDOW }), fc.integer({ min: 0, max: WINDOW }), (titles, phones) => {
      const places = Array.from({ length: WINDOW }, (_, nth) =>
        bare({ ...(nth < titles ? { title: 'x' } : {}), ...(WINDOW - nth <= phones ? { phone: '1' } : {}) }),
      )
      const wanted = [...(titles < 90 ? ['[11]'] : []), ...(phones < 2 ? ['[178]'] : [])]
      expect(pathsOf(places)).toEqual(wanted)
    }),
  )
})

test('the alarm names the path in the log and the metrics, once a window, and ends when the path is back', () => {
  const lines: string[] = []
  const told: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const alarm = createDriftAlarm(log, (path) => told.push(path))
  const whole = Object.fromEntries(PLACE_PATHS.map(({ field }) => [field, 'x']))
  const { open_hours: _gone, ...changed } = whole
  for (let nth = 0; nth < 2 * WINDOW; nth++) alarm.collected(changed)
  expect(alarm.drifted()).toEqual(['place[6][203][0]'])
  for (let nth = 0; nth < 2 * WINDOW; nth++) alarm.collected(whole)
  expect(alarm.drifted()).toEqual([])
  expect(told).toEqual(['place[6][203][0]', 'place[6][203][0]'])
  expect(lines[0]).toContain('"path":"place[6][203][0]"')
})

test('a selector raises the alarm while it matches on fewer than half of the last twenty pages', () => {
  const told: string[] = []
  const alarm = createDriftAlarm(pino({ level: 'silent' }), (path) => told.push(path))
  const draw = (times: number, matched: boolean | undefined) => {
    for (let nth = 0; nth < times; nth++) alarm.drawn({ 'photos: tile': matched, 'photos: gallery': true })
  }
  draw(50, undefined)
  draw(11, false)
  expect(alarm.drifted()).toEqual([])
  draw(9, true)
  expect(alarm.drifted()).toEqual(['photos: tile'])
  draw(20, true)
  expect(alarm.drifted()).toEqual([])
  expect(told).toEqual(['photos: tile'])
})
