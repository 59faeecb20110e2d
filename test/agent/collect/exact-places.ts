import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { Place, PlaceReference } from '@placefleet/shared/place'
import { expect } from 'vitest'
import { comparable } from '../../harness/agents/comparable.ts'
import { collecting, keysOf, mapSite, taskOf } from './collecting.ts'

type Settings = Omit<Parameters<typeof collecting>[0], 'mapsBaseUrl'>

/**
 * Searches a site and collects its first places. Fails unless it finds exactly the site's places, and returns each of
 * the collected ones as it is.
 */
export async function expectExactPlaces(
  settings: Settings,
  placePages: SiteOptions['placePages'],
  collected: number,
): Promise<void> {
  const site = await mapSite({ placePages, gzip: true })
  const { run } = collecting({ ...settings, mapsBaseUrl: site.url })
  const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(found.end).toMatchObject({ kind: 'finished' })
  expect(keysOf(found.references)).toEqual(site.city.keysOf('bakery'))
  for (const reference of found.references) PlaceReference.parse(reference)

  const references = found.references.slice(0, collected)
  const { places, end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'finished' })
  expect(keysOf(places)).toEqual(keysOf(references))
  for (const place of places) {
    Place.parse(place)
    const truth = site.city.place(site.city.indexOf(place.place_key) ?? -1)
    expect(comparable(place)).toEqual(comparable(truth))
  }
}
