import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDriftAlarm } from '@placefleet/agent/drift/drift-alarm'
import { parseDrawnPlace, placeSelectors } from '@placefleet/agent/maps/place/drawn'
import { feedSelectors, parseFeed } from '@placefleet/agent/maps/search/drawn'
import { pino } from 'pino'
import { expect, test } from 'vitest'

const page = (name: string) => readFileSync(join(import.meta.dirname, '..', 'maps', 'reductions', name), 'utf8')

/** Returns the paths that are raised after so many pages with these selectors. */
function raisedAfter(pages: number, selectors: Readonly<Record<string, boolean | undefined>>): string[] {
  const alarm = createDriftAlarm(pino({ level: 'silent' }), () => undefined)
  for (let nth = 0; nth < pages; nth++) alarm.drawn(selectors)
  return alarm.drifted()
}

function selectorsIn(html: string) {
  const read = parseDrawnPlace(html, { language: 'en' })
  if (!read.ok) throw new Error(read.reason)
  return placeSelectors(read.place)
}

test('a drawn place with all of its fields raises no alarm', () => {
  const selectors = selectorsIn(page('place-page.html'))
  expect(Object.values(selectors)).toEqual([true, true, true, true])
  expect(raisedAfter(20, selectors)).toEqual([])
})

test.each([
  ['place: category', 'DkEaL'],
  ['place: address', 'data-item-id="address"'],
  ['place: rating', 'F7nice'],
  ['place: hours', 'eK4R0e'],
])('drawn places raise %s, and nothing else, when %s is gone', (path, mark) => {
  expect(raisedAfter(20, selectorsIn(page('place-page.html').replaceAll(mark, 'moved')))).toEqual([path])
})

const feed = (html: string) => parseFeed(html)?.spinner ?? false

test('a feed that announces more raises no alarm; long feeds without an announcement do', () => {
  const announced = feed(page('feed.html'))
  expect(raisedAfter(20, feedSelectors(announced, 40))).toEqual([])
  const moved = feed(page('feed.html').replaceAll('lXJj5c', 'moved'))
  expect(raisedAfter(20, feedSelectors(moved, 20))).toEqual(['search: more'])
})

test('short feeds without an announcement tell nothing', () => {
  expect(raisedAfter(50, feedSelectors(false, 19))).toEqual([])
})

test('places that are found by their shape alone raise the path that they have left', () => {
  const alarm = createDriftAlarm(pino({ level: 'silent' }), () => undefined)
  for (let nth = 0; nth < 20; nth++) {
    alarm.found('search[0][1]', false)
    alarm.found('place[6]', true)
  }
  expect(alarm.drifted()).toEqual(['search[0][1] (moved)'])
})
