import { WINDOW } from '@placefleet/agent/drift/drift-alarm'
import { createDriftWatch } from '@placefleet/agent/drift/drift-watch'
import { PLACE_PATHS } from '@placefleet/agent/drift/watched-paths'
import { pino } from 'pino'
import { expect, test } from 'vitest'

const HOURS = 'place[6][203][0]'
const whole: Record<string, unknown> = {
  ...Object.fromEntries(PLACE_PATHS.map(({ field }) => [field, 'x'])),
  user_reviews: [],
}
const { open_hours: _gone, ...trimmed } = whole

function startWatch() {
  const told: string[] = []
  const watch = createDriftWatch(pino({ level: 'silent' }), (path) => told.push(path))
  const collect = (proxies: readonly string[], place: object) => {
    for (let nth = 0; nth < WINDOW; nth++) watch.of(proxies).collected(place)
  }
  return { watch, told, collect }
}

test("one user's proxies that get trimmed answers raise no alarm, in whatever order a job names them", () => {
  const { watch, told, collect } = startWatch()
  collect(['http://a:1', 'http://b:1'], trimmed)
  collect(['http://b:1', 'http://a:1'], trimmed)
  collect([], whole)
  expect({ told, drifted: watch.drifted() }).toEqual({ told: [], drifted: [] })
})

test("the alarm is raised by the agent's own address alone, and by proxies of two lists", () => {
  const own = startWatch()
  own.collect([], trimmed)
  expect({ told: own.told, drifted: own.watch.drifted() }).toEqual({ told: [HOURS], drifted: [HOURS] })

  const { watch, told, collect } = startWatch()
  collect(['http://a:1'], trimmed)
  collect(['http://c:1'], trimmed)
  expect({ told, drifted: watch.drifted() }).toEqual({ told: [HOURS], drifted: [HOURS] })
  collect(['http://c:1'], whole)
  expect(watch.drifted()).toEqual([])
})

test('proxies that were used long ago are forgotten', () => {
  const { watch, told, collect } = startWatch()
  collect(['http://a:1'], trimmed)
  for (let nth = 0; nth < 60; nth++) collect([`http://${nth}.example:1`], whole)
  collect(['http://c:1'], trimmed)
  expect({ told, drifted: watch.drifted() }).toEqual({ told: [], drifted: [] })
})
