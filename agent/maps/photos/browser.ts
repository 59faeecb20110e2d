import type { Page } from 'playwright'
import { openMapPage } from '../session/map-page.ts'
import { press, scrollToLast } from '../session/page-actions.ts'
import { listenFor, nextList } from '../session/page-answers.ts'
import type { Locale } from '../urls/locale.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import { parsePhotoList } from './list.ts'
import type { Photo } from './payload.ts'

/** Photos of a place in the order of its gallery. `complete` when the site gave all that were asked for, or all there are. */
export type PhotosFound = { readonly photos: Photo[]; readonly complete: boolean }

// The large picture above the name, the first of the row of tabs, or the button on the picture.
const GALLERY = 'button.aoRNLd, button[data-carousel-index="0"], button.Dx2nRe'
const LAST = 'a.OKAoZd'

const GALLERY_MS = 5_000
const LIST_MS = 4_000
const STUCK_ROUNDS = 2
/** Longer than this nobody scrolls; a page as a whole has a minute. */
const SCROLL_MS = 40_000

/**
 * Opens a place's page and its gallery, and takes the lists of photos that the page asks for itself, until `enough`
 * says so or the list ends. The site gives the list to nobody but its own page.
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
  const photos = new Map<string, Photo>()
  const until = Date.now() + SCROLL_MS
  for (let stuck = 0; stuck < STUCK_ROUNDS && Date.now() < until; ) {
    const list = await nextList(answers, parsePhotoList, LIST_MS)
    const before = photos.size
    for (const photo of list?.photos ?? []) photos.set(photo.id, photos.get(photo.id) ?? photo)
    const found = [...photos.values()]
    if (list && (list.next_token === undefined || enough(found))) return { photos: found, complete: true }
    stuck = photos.size > before ? 0 : stuck + 1
    await scrollToLast(page, LAST)
  }
  return { photos: [...photos.values()], complete: false }
}
