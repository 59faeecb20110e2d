import { createProxyHealths } from '@placefleet/agent/proxies/health'
import { judged, orderFor, UNTRIED } from '@placefleet/agent/proxies/rotation'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('every proxy is tried once, whatever the task and whatever is known of them', () => {
  const proxies = fc.uniqueArray(fc.webUrl(), { maxLength: 20 })
  const property = fc.property(fc.string(), proxies, fc.array(fc.nat(20)), (task, urls, bad) => {
    const healthOf = (proxy: string) => (bad.includes(urls.indexOf(proxy)) ? judged(UNTRIED, 'failed', 0) : UNTRIED)
    const order = orderFor(task, urls, healthOf, 1)
    expect(order.toSorted()).toEqual(urls.toSorted())
    const firstResting = order.findIndex((proxy) => healthOf(proxy).restingUntil > 1)
    if (firstResting >= 0) expect(order.slice(firstResting).every((p) => healthOf(p).restingUntil > 1)).toBe(true)
  })
  fc.assert(property)
})

test('a task begins at the same proxy every time, and tasks spread', () => {
  const proxies = ['a', 'b', 'c', 'd']
  const firsts = Array.from({ length: 40 }, (_, n) => orderFor(`task-${n}`, proxies, () => UNTRIED, 0)[0])
  expect(new Set(firsts).size).toBe(4)
  expect(orderFor('task-1', proxies, () => UNTRIED, 0)).toEqual(orderFor('task-1', proxies, () => UNTRIED, 5))
})

test('a proxy rests longer with each failure in a row, ten minutes at most, and is whole again once it works', () => {
  let health = UNTRIED
  const rests = Array.from({ length: 8 }, () => {
    health = judged(health, 'failed', 0)
    return health.restingUntil
  })
  expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000])
  expect(judged(health, 'works', 0)).toEqual(UNTRIED)
})

test('a blocked proxy comes last until it has rested', () => {
  let now = 0
  const healths = createProxyHealths(() => now)
  const first = healths.order('task', ['a', 'b'])[0] ?? ''
  healths.report(first, 'blocked')
  expect(healths.order('task', ['a', 'b'])[1]).toBe(first)
  now = 120_000
  expect(healths.order('task', ['a', 'b'])[0]).toBe(first)
})
