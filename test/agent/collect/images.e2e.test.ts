import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { photoOf, photoUrl } from '@placefleet/deploy/simulation/map-site/city/photos'
import { expect, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { volume } from '../../harness/volume.ts'
import { onSite } from './collecting.ts'

const open = sharedBrowser()

const withoutSize = (url: string) => url.replace(/=[whs]\d+[\w-]*$/, '')
const sourcesOf = (images: readonly { url: string }[] = []) => images.map(({ url }) => withoutSize(url))

/** Returns the first places of a city with a suitable number of photos. */
const placesWith = (city: City, wanted: (photos: number) => boolean, count = 3): number[] =>
  [...Array(300).keys()].filter((index) => wanted(city.details(index).photoCount)).slice(0, count)

/** Returns the images that the page of a place shows, and every photo in its gallery. */
function imagesOf(city: City, place_key: string): { shown: string[]; gallery: string[] } {
  const index = city.indexOf(place_key) ?? -1
  const gallery = Array.from({ length: city.details(index).photoCount }, (_, nth) =>
    withoutSize(photoUrl(photoOf(city.seed, index, nth), 's0')),
  )
  return { shown: sourcesOf(city.place(index).images), gallery }
}

test('over plain HTTP the images are those that the payload shows, at full size', async () => {
  const { site, city, collect } = await onSite()
  const { places } = await collect(
    placesWith(city, (photos) => photos > 20),
    { max_images: 500 },
  )
  expect(places.length).toBe(3)
  for (const { place_key, images = [] } of places) {
    expect(sourcesOf(images)).toEqual(imagesOf(city, place_key).shown)
    for (const { url } of images) expect(url).toMatch(/=s0$|streetview/)
  }
  expect(site.requests().kinds).not.toHaveProperty('photos')
})

test.each((['auto', 'browser'] as const).slice(0, volume(1, 2)))(
  'the galleries return the images that pages do not show, each on a page of its own (%s)',
  async (rung) => {
    const { site, city, collect } = await onSite({}, { rung, open })
    const wanted = placesWith(city, (photos) => photos > 60, 5)
    const { places, end } = await collect(wanted, { max_images: 45 })
    expect(end).toMatchObject({ kind: 'finished' })
    expect(places.length).toBe(wanted.length)
    for (const { place_key, images } of places) {
      const sources = sourcesOf(images)
      expect(new Set(sources).size).toBe(45)
      const { shown, gallery } = imagesOf(city, place_key)
      const others = gallery.filter((source) => !shown.includes(source))
      expect(sources).toEqual([...shown, ...others].slice(0, 45))
    }
    const { photos, 'place-page': pages } = site.requests().kinds
    expect(photos).toBeLessThanOrEqual(3 * wanted.length)
    expect(pages).toBe(wanted.length)
  },
)

test('a gallery with fewer photos than the cap returns all of them', async () => {
  const { city, collect } = await onSite({}, { rung: 'browser', open })
  const [index = -1] = placesWith(city, (photos) => photos > 25 && photos < 100, 1)
  const { places } = await collect([index], { max_images: 500 })
  const { shown, gallery } = imagesOf(city, city.place(index).place_key)
  expect(new Set(sourcesOf(places[0]?.images))).toEqual(new Set([...shown, ...gallery]))
})

test('the gallery stays closed for a place without photos, and for no more images than its page shows', async () => {
  const { site, city, collect } = await onSite({}, { rung: 'auto', open })
  const none = placesWith(city, (photos) => photos === 0)
  await collect(none, { max_images: 500 })
  const many = placesWith(city, (photos) => photos > 60)
  await collect(many, { max_images: 2 })
  expect(site.requests().kinds).not.toHaveProperty('photos')
  expect(site.requests().kinds).not.toHaveProperty('place-page')
})

test('fast mode collects requested images', async () => {
  const { city, search } = await onSite({}, { places: 60, rung: 'auto', open })
  const { places } = await search({ fast_mode: true, max_images: 5, max_reviews: 0 })
  expect(places.length).toBe(5)
  for (const { place_key, images = [] } of places) {
    expect(images.length).toBe(Math.min(5, imagesOf(city, place_key).gallery.length))
  }
})
