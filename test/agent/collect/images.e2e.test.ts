import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { photoOf, photoUrl } from '@placefleet/deploy/simulation/map-site/city/photos'
import type { Place } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { volume } from '../../harness/volume.ts'
import { collecting, mapSite, taskOf } from './collecting.ts'

const open = sharedBrowser()

const sourceOf = ({ url }: { url: string }) => url.replace(/=[whs]\d+[\w-]*$/, '')
const referenceOf = ({ place_key, title }: Place) => ({ place_key, title })

/** Returns the first places of a city with a suitable number of photos. */
function placesWith(city: City, wanted: (photos: number) => boolean, count = 3): Place[] {
  const indices = [...Array(300).keys()].filter((index) => wanted(city.details(index).photoCount))
  return indices.slice(0, count).map((index) => city.place(index))
}

/** Returns every photo in a place's gallery. */
function galleryOf(city: City, { place_key }: Place): string[] {
  const index = city.indexOf(place_key) ?? -1
  const { photoCount } = city.details(index)
  return Array.from({ length: photoCount }, (_, nth) =>
    sourceOf({ url: photoUrl(photoOf(city.seed, index, nth), 's0') }),
  )
}

test('over plain HTTP the images are those that the payload shows, at full size', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const wanted = placesWith(site.city, (photos) => photos > 20)
  const references = wanted.map(referenceOf)
  const { places } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_images: 500 } }))
  expect(places.length).toBe(wanted.length)
  for (const { place_key, images = [] } of places) {
    const truth = wanted.find((place) => place.place_key === place_key)?.images ?? []
    expect(images.map(sourceOf)).toEqual(truth.map(sourceOf))
    for (const { url } of images) expect(url).toMatch(/=s0$|streetview/)
  }
  expect(site.requests().kinds).not.toHaveProperty('photos')
})

const RUNGS = ['auto', 'browser'] as const

test.each(RUNGS.slice(0, volume(1, 2)))(
  'the galleries return the images that pages do not show, each on a page of its own (%s)',
  async (rung) => {
    const site = await mapSite()
    const { run } = collecting({ mapsBaseUrl: site.url, rung, open })
    const wanted = placesWith(site.city, (photos) => photos > 60, 5)
    const references = wanted.map(referenceOf)
    const { places, end } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_images: 45 } }))
    expect(end).toMatchObject({ kind: 'finished' })
    expect(places.length).toBe(wanted.length)
    for (const place of places) {
      const { images = [] } = place
      const sources = images.map(sourceOf)
      expect(new Set(sources).size).toBe(45)
      const tabs = wanted.find(({ place_key }) => place_key === place.place_key)?.images?.map(sourceOf) ?? []
      const others = galleryOf(site.city, place).filter((source) => !tabs.includes(source))
      expect(sources).toEqual([...tabs, ...others].slice(0, 45))
    }
    const { photos, 'place-page': pages } = site.requests().kinds
    expect(photos).toBeLessThanOrEqual(3 * wanted.length)
    expect(pages).toBe(wanted.length)
  },
)

test('a gallery with fewer photos than the cap returns all of them', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const [wanted] = placesWith(site.city, (photos) => photos > 25 && photos < 100, 1)
  if (!wanted) throw new Error('the city has no such place')
  const references = [referenceOf(wanted)]
  const { places } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_images: 500 } }))
  const all = new Set([...(wanted.images ?? []).map(sourceOf), ...galleryOf(site.city, wanted)])
  expect(new Set(places[0]?.images?.map(sourceOf))).toEqual(all)
})

test('the gallery stays closed for a place without photos, and for no more images than its page shows', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const none = placesWith(site.city, (photos) => photos === 0).map(referenceOf)
  await run(taskOf({ kind: 'collect', references: none }, { parameters: { max_images: 500 } }))
  const many = placesWith(site.city, (photos) => photos > 60).map(referenceOf)
  await run(taskOf({ kind: 'collect', references: many }, { parameters: { max_images: 2 } }))
  expect(site.requests().kinds).not.toHaveProperty('photos')
  expect(site.requests().kinds).not.toHaveProperty('place-page')
})

test('fast mode collects requested images', async () => {
  const site = await mapSite({}, 60)
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const parameters = { fast_mode: true, max_images: 5, max_reviews: 0 }
  const { places } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters }))
  expect(places.length).toBe(5)
  for (const place of places) {
    const all = galleryOf(site.city, place)
    expect(place.images?.length ?? 0).toBe(Math.min(5, all.length))
  }
})
