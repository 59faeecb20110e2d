import { openNetwork } from '@placefleet/agent/collect/network'
import { expect, test } from 'vitest'
import { ownChromium } from '../../harness/chromiums.ts'
import { collecting, keysOf, mapSite, taskOf } from './collecting.ts'

test('an agent whose network did not open opens it for the next task', async () => {
  const site = await mapSite()
  let tries = 0
  const open: typeof openNetwork = (guard, settings) => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no port is free')) : openNetwork(guard, settings, ownChromium())
  }
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', open })
  const task = taskOf({ kind: 'discover', keyword: 'bakery' })
  await expect(run(task)).rejects.toThrow('no port is free')
  expect(keysOf((await run(task)).references)).toEqual(site.city.keysOf('bakery'))
})
