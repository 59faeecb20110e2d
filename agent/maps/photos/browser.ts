import type { Request } from 'playwright'
import type { MapSession } from '../session/identity.ts'
import { openMapPage } from '../session/map-page.ts'
import type { MapTab } from '../session/map-tab.ts'
import { listenFor } from '../session/page-answers.ts'
import { press, type SelectorsSeen, scrollList } from '../session/scroll.ts'
import type { Locale } from '../urls/parameters.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import { nextPhotoRequest, readPhotoRequest } from './page-request.ts'
import { type Photo, parsePhotoList } from './payload.ts'

/** Photos of a place in gallery order. `complete` when `enough` was reached or the gallery ended. */
export type PhotosFound = { readonly photos: Photo[]; readonly complete: boolean; readonly selectors: SelectorsSeen }

/** Which photos, and when they are enough. */
type PhotosWanted = {
  readonly base: URL
  readonly place: PlaceUrl
  readonly locale: Locale
  readonly enough: (photos: readonly Photo[]) => boolean
}

type PhotoSession = Pick<MapSession, 'pageFetch' | 'pageRequests'>

/**
 * Reads the photo lists of a place. Opens the gallery of the first place and records the list request that its page sends.
 * Replays this request for other places. If a replay brings nothing, opens that place's gallery.
 */
export function photosInBrowser(tab: MapTab, session: PhotoSession, wanted: PhotosWanted): Promise<PhotosFound> {
  const read = async () => (await requestLists(tab, session, wanted)) ?? openGallery(tab, session, wanted)
  return session.pageRequests.afterFirst(PHOTOS, read)
}

// By the name under which an identity keeps the request.
const PHOTOS = 'photos'

async function requestLists(
  tab: MapTab,
  { pageFetch, pageRequests }: PhotoSession,
  { place, enough }: PhotosWanted,
): Promise<PhotosFound | undefined> {
  const photos = new Map<string, Photo>()
  for (let token: string | undefined; ; ) {
    const before = pageRequests.last(PHOTOS)
    if (!before) return undefined
    const request = nextPhotoRequest(before, place.place_key, token)
    pageRequests.note(PHOTOS, request)
    const text = await pageFetch.text(tab, request)
    if (text === undefined) return undefined
    const list = parsePhotoList(text)
    const known = photos.size
    for (const photo of list.photos) photos.set(photo.id, photos.get(photo.id) ?? photo)
    const read = [...photos.values()]
    // A session that the site distrusts gets an empty list, or one with the view from the street only.
    if (read.every(({ kind }) => kind === 'street_view')) {
      pageFetch.notePathRefused(request.url)
      return undefined
    }
    const isLast = list.next_token === undefined || read.length === known
    if (isLast || enough(read)) return { photos: read, complete: true, selectors: {} }
    token = list.next_token
  }
}

// The large image above the name, the first tab of photos, or the button on the image.
const GALLERY = 'button.aoRNLd, button[data-carousel-index="0"], button.Dx2nRe'
const LAST = 'a.OKAoZd'

const GALLERY_MS = 5_000
const LIST_MS = 4_000
const STUCK_ROUNDS = 2

/** Opens a place's page and its gallery, scrolls, and reads the photo lists that the page requests. */
async function openGallery(
  tab: MapTab,
  { pageRequests }: PhotoSession,
  { base, place, locale, enough }: PhotosWanted,
): Promise<PhotosFound> {
  const { page } = tab
  const answers = listenFor(tab, isBatchRequest)
  page.on('request', (request) => {
    const own = isBatchRequest(new URL(request.url())) ? readPhotoRequest(sent(request)) : undefined
    if (own) pageRequests.note(PHOTOS, own)
  })
  await openMapPage(tab, placePageUrl(base, place, locale))
  await tab.settled()
  const opened = await press(page, GALLERY, GALLERY_MS)
  if (!opened) return { photos: [], complete: false, selectors: { 'photos: gallery': opened } }
  const list = { answers, parse, last: LAST, listMs: LIST_MS, stuckRounds: STUCK_ROUNDS, enough }
  const { items, complete, lastSeen } = await scrollList(tab, list)
  return { photos: items, complete, selectors: { 'photos: gallery': opened, 'photos: tile': lastSeen } }
}

const isBatchRequest = ({ pathname }: URL) => pathname.endsWith('/batchexecute')

const sent = (request: Request) => ({ url: request.url(), headers: request.headers(), body: request.postData() })

function parse(text: string) {
  const { photos, ...list } = parsePhotoList(text)
  return { ...list, items: photos }
}
