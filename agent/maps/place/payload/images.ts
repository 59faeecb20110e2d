import type { Image, Place } from '@placefleet/shared/place'
import { filled, lineAt, omitUndefined } from '../../answers/fit.ts'
import { getAt, integerAt, listAt, textAt } from '../../answers/index-path.ts'
import { readUrl, urlAt } from '../../answers/site-url.ts'
import { type Photo, readPhoto } from '../../photos/payload.ts'

const MAX_IMAGES = 500
// Tabs have tokens that do not depend on the language; their titles do.
const STREET_VIEW_TAB = 'CgIgARICCAI='

/** One picture for each photo tab, the thumbnail, and the street view at the place. */
export function readImages(node: unknown): Pick<Place, 'images' | 'thumbnail' | 'street_view_url'> {
  const tabs = listAt(node, 171, 0)
  return {
    images: filled(
      tabs.map(readTab).filter((image) => image !== undefined),
      MAX_IMAGES,
    ),
    thumbnail: urlAt(node, 72, 0, 1, 6, 0),
    street_view_url: streetView(tabs.find((tab) => textAt(tab, 0) === STREET_VIEW_TAB)),
  }
}

/** How many pictures the place has on the site. */
export function photoCount(node: unknown): number | undefined {
  const count = integerAt(node, 37, 1)
  return count !== undefined && count >= 0 ? count : undefined
}

/** The single photos that a payload shows itself, each once. Older payloads have them beside the node. */
export function shownPhotos(node: unknown, payload: unknown): Photo[] {
  const records = [...listAt(node, 37, 0), ...listAt(node, 51, 0), ...listAt(payload, 24, 0)]
  const photos = records.map(readPhoto).filter((photo) => photo !== undefined)
  return [...new Map(photos.map((photo) => [photo.id, photo])).values()]
}

function readTab(tab: unknown): Image | undefined {
  const url = urlAt(tab, 3, 0, 6, 0)
  return url === undefined ? undefined : omitUndefined({ title: lineAt(tab, 2), url })
}

// A visitor's 360° photo can stand in the tab instead; it has no panorama id.
function streetView(tab: unknown): string | undefined {
  const url = readUrl(textAt(getAt(tab, 3), 0, 6, 0))
  const panorama = url && /[?&]panoid=([\w-]+)/.exec(url)?.[1]
  return panorama && readUrl(`https://www.google.com/maps/@?api=1&map_action=pano&pano=${panorama}`)
}
