import type { Page } from 'playwright'
import type { Exit } from '../exits/exit.ts'
import { openMapPage } from '../session/map-page.ts'
import { listenFor } from '../session/page-answers.ts'
import { press, type SelectorsSeen, scrollList } from '../session/scroll.ts'
import type { Locale } from '../urls/parameters.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import { type Photo, parsePhotoList } from './payload.ts'

/** Photos of a place in gallery order. `complete` when `enough` was reached or the gallery ended. */
export type PhotosFound = { readonly photos: Photo[]; readonly complete: boolean; readonly selectors: SelectorsSeen }

// The large image above the name, the first tab of photos, or the button on the image.
const GALLERY = 'button.aoRNLd, button[data-carousel-index="0"], button.Dx2nRe'
const LAST = 'a.OKAoZd'

const GALLERY_MS = 5_000
const LIST_MS = 4_000
const STUCK_ROUNDS = 2

/**
 * Opens a place's page and its gallery, scrolls, and reads the photo lists that the page requests, until `enough` or
 * the end of the list. The site serves these lists only to its own page.
 */
export async function photosInBrowser(
  page: Page,
  exit: Exit,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  enough: (photos: readonly Photo[]) => boolean,
): Promise<PhotosFound> {
  const answers = listenFor(page, exit, ({ pathname }) => pathname.endsWith('/batchexecute'))
  await openMapPage(page, placePageUrl(base, place, locale))
  const opened = await press(page, GALLERY, GALLERY_MS)
  if (!opened) return { photos: [], complete: false, selectors: { 'photos: gallery': opened } }
  const list = { answers, parse, last: LAST, listMs: LIST_MS, stuckRounds: STUCK_ROUNDS, enough }
  const { items, complete, lastSeen } = await scrollList(page, list)
  return { photos: items, complete, selectors: { 'photos: gallery': opened, 'photos: tile': lastSeen } }
}

function parse(text: string) {
  const { photos, ...list } = parsePhotoList(text)
  return { ...list, items: photos }
}
