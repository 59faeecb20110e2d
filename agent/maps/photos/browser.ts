import type { Page } from 'playwright'
import { openMapPage } from '../session/map-page.ts'
import { listenFor } from '../session/page-answers.ts'
import { press, scrollList } from '../session/scroll.ts'
import type { Locale } from '../urls/parameters.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import { type Photo, parsePhotoList } from './payload.ts'

/** Photos of a place in gallery order. `complete` when `enough` was reached or the gallery ended. */
export type PhotosFound = { readonly photos: Photo[]; readonly complete: boolean }

// The large picture above the name, the first tab of photos, or the button on the picture.
const GALLERY = 'button.aoRNLd, button[data-carousel-index="0"], button.Dx2nRe'
const LAST = 'a.OKAoZd'

const GALLERY_MS = 5_000
const LIST_MS = 4_000
const STUCK_ROUNDS = 2

/**
 * Opens a place's page and its gallery, and reads the photo lists that the page requests while it is scrolled, until
 * `enough` says so or the list ends. The site serves these lists to its own page only.
 */
export async function photosInBrowser(
  page: Page,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  enough: (photos: readonly Photo[]) => boolean,
): Promise<PhotosFound> {
  const answers = listenFor(page, ({ pathname }) => pathname.endsWith('/batchexecute'))
  await openMapPage(page, placePageUrl(base, place, locale))
  if (!(await press(page, GALLERY, GALLERY_MS))) return { photos: [], complete: false }
  const list = { answers, parse, last: LAST, listMs: LIST_MS, stuckRounds: STUCK_ROUNDS, enough }
  const { items, complete } = await scrollList(page, list)
  return { photos: items, complete }
}

function parse(text: string) {
  const { photos, ...list } = parsePhotoList(text)
  return { ...list, items: photos }
}
