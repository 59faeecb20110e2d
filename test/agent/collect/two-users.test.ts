import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { collecting, mapSite, taskOf } from './collecting.ts'

const GOOD = '127.0.0.31'
const TRIMMING = '127.0.0.32'

async function proxyFrom(localAddress: string) {
  const proxy = await startForwardProxy({ resolve: () => undefined, localAddress })
  onTestFinished(() => proxy.close())
  return proxy.url
}

test('two users with good and with trimming proxies do not affect each other, in any order or at the same time', async () => {
  const site = await mapSite({ trimExits: { [TRIMMING]: 1 } })
  const proxies = { good: await proxyFrom(GOOD), trimming: await proxyFrom(TRIMMING) }
  const allowHosts = new Set(Object.values(proxies).map((url) => new URL(url).host))
  const references = site.city
    .search('bakery')
    .slice(0, 3)
    .map((index) => ({ place_key: site.city.place(index).place_key }))
  const start = () => {
    const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts })
    return async (user: keyof typeof proxies) => {
      const { places, end } = await run(taskOf({ kind: 'collect', references }, { proxies: [proxies[user]] }))
      return { places: places.toSorted((a, b) => a.place_key.localeCompare(b.place_key)), outcomes: end.outcomes }
    }
  }
  const alone = { good: await start()('good'), trimming: await start()('trimming') }
  expect(alone.good.outcomes.limited).toBe(0)
  expect(alone.trimming.outcomes.limited).toBeGreaterThan(0)

  const orders = fc.array(fc.constantFrom('good' as const, 'trimming' as const), { minLength: 2, maxLength: 5 })
  const property = fc.asyncProperty(orders, fc.boolean(), async (order, atOnce) => {
    const run = start()
    if (atOnce) expect(await Promise.all(order.map(run))).toEqual(order.map((user) => alone[user]))
    else for (const user of order) expect(await run(user)).toEqual(alone[user])
  })
  await fc.assert(property, { numRuns: volume(3, 5) })
}, 120_000)
