import { WINDOW } from '@placefleet/agent/drift/drift'
import { expect, test } from 'vitest'
import { collecting, mapSite, taskOf } from './collecting.ts'

test('an exit that gets trimmed answers only is no sign of a new layout', async () => {
  const site = await mapSite({ trimShares: { withNid: 1, withoutNid: 1 } })
  const { collector, run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const rated = [...Array(site.city.size).keys()].filter((index) => site.city.details(index).rating?.perStar)
  const references = rated.slice(0, WINDOW).map((index) => ({ place_key: site.city.details(index).ids.dataId }))
  const { places } = await run(taskOf({ kind: 'collect', references }))
  expect(places).toHaveLength(WINDOW)
  expect(collector.drifted()).toEqual([])
})
