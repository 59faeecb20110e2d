import { openMapPage } from '../requests/map-page.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { listenFor } from '../requests/page-answers.ts'
import { press, scrollList } from '../requests/scroll.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import { type Photo, parsePhotoList } from './payload.ts'

/** Photos of a place in gallery order. `complete` when `enough` was reached or the gallery ended. */
export type PhotoResult = { readonly photos: Photo[]; readonly complete: boolean }

// The large image above the name, the first tab of photos, or the button on the image.
const GALLERY = 'button.aoRNLd, button[data-carousel-index="0"], button.Dx2nRe'
const LAST = 'a.OKAoZd'

const GALLERY_MS = 5_000
const LIST_MS = 4_000
const STUCK_ROUNDS = 2

/**
 * Opens a place's page and its gallery, scrolls, and reads the photo lists that the page requests. Its script signs
 * each request for itself alone, so no other client can send one.
 */
export async function photosInBrowser(
  tab: MapTab,
  place: PlaceUrl,
  enough: (photos: readonly Photo[]) => boolean,
): Promise<PhotoResult> {
  const { page } = tab
  const answers = listenFor(tab, isBatchRequest)
  await openMapPage(tab, placePageUrl(tab, place))
  await tab.settled()
  const opened = await press(page, GALLERY, GALLERY_MS)
  if (!opened) return { photos: [], complete: false }
  const list = { answers, parse, last: LAST, listMs: LIST_MS, stuckRounds: STUCK_ROUNDS, enough }
  const { items, complete } = await scrollList(tab, list)
  return { photos: items, complete }
}

const isBatchRequest = ({ pathname }: URL) => pathname.endsWith('/batchexecute')

function parse(text: string) {
  const { photos, ...list } = parsePhotoList(text)
  return { ...list, items: photos }
}
