import { expect, onTestFinished, test } from 'vitest'
import { collectJob } from '../../harness/agents/collect-job.ts'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'
import { startHostileProxies } from '../../harness/network/hostile-proxies.ts'
import { expectWhole, keysOf, onSite } from './collecting.ts'

const FOREVER = 600_000

// Ports are random, and with them the exits that a task tries first. These are more than half of the living ones, so
// that one of twelve tasks certainly meets one of them.
const LIMITED = [1, 2, 5, 6, 11, 12, 15, 16].map((nth) => `127.0.1.${nth + 1}`)

test('every place of a hostile city is collected whole, but for one that three exits refuse', async () => {
  const crowd = await startHostileProxies(20)
  onTestFinished(() => crowd.close())
  const proxies = crowd.proxies.map(({ url }) => url)
  const { site, city, collector } = await onSite(
    {
      failureRate: 0.05,
      latencyMs: { min: 1, max: 12 },
      rateLimit: { requests: 8, windowMs: FOREVER, blockMs: FOREVER, addresses: LIMITED },
    },
    { places: 1_440, allowHosts: new Set(proxies.map((url) => new URL(url).host)) },
  )
  const parameters = { ...PARAMETERS, max_reviews: 8 }
  const job = { keyword: 'bakery', parameters, proxies, slots: 4, places_wanted: 500 }
  const { places, failures, blocked } = await collectJob(collector, job)
  const keys = city.keysOf('bakery')
  expect(keys).toEqual(expect.arrayContaining(keysOf(places)))
  expect(places.length + blocked, JSON.stringify({ failures })).toBe(keys.length)
  expectWhole(city, places)
  const { refused, refusals: records, addresses } = site.requests()
  const refusals = [refused['rate-limited'], refused['blocked-still']].flatMap((kinds) => Object.values(kinds))
  expect(blocked * 3).toBeLessThanOrEqual(refusals.reduce((sum, count) => sum + count, 0))
  expect(blocked).toBeLessThanOrEqual(2) // one run in fifteen blocks one
  expect(records.some(({ address }) => LIMITED.includes(address))).toBe(true)
  expect(Object.keys(refused.failed).length).toBeGreaterThan(0)
  expect(Object.keys(addresses)).not.toContain('127.0.0.1')
})
