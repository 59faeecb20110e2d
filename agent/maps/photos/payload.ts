import type { Image, Place } from '@placefleet/shared/place'
import { batchMessage, parseList } from '../answers/body.ts'
import {
  eachOnce,
  filled,
  getAt,
  integerAt,
  lineAt,
  listAt,
  omitUndefined,
  readEach,
  readUrl,
  textAt,
  urlAt,
} from '../answers/values.ts'

/** A photo of a place. Its title is the dish, else the caption. */
export type Photo = Image & { readonly id: string; readonly kind: 'photo' | 'street_view' }

export function readPhoto(record: unknown): Photo | undefined {
  const id = lineAt(record, 0)
  const url = urlAt(record, 6, 0)
  if (id === undefined || url === undefined) return undefined
  const title = lineAt(record, 21, 14, 0, 2, 0) ?? lineAt(record, 20)
  const kind = integerAt(record, 1) === 0 ? 'street_view' : 'photo'
  return omitUndefined<Photo>({ id, url, title, kind })
}

/** Returns the photo as an image of a place. */
export const photoImage = ({ title, url }: Photo): Image => omitUndefined({ title, url })

/** A page of a place's photos. The last page has no `next_token`. */
type PhotoList = { state: 'listed' | 'refused' | 'malformed'; photos: Photo[]; next_token?: string | undefined }

const PROCEDURE = '/MapsPhotoService.ListEntityPhotos'

/** Reads an answer with photos: a bare list, or the answer to the page's batchexecute request. */
export function parsePhotoList(text: string): PhotoList {
  const envelope = batchMessage(text, PROCEDURE) ?? parseList(text)
  if (!Array.isArray(envelope)) return { state: 'malformed', photos: [] }
  const records = listAt(envelope, 0)
  const photos = eachOnce(readEach(records, readPhoto))
  if (!Array.isArray(getAt(envelope, 0)) && integerAt(envelope, 1) === undefined)
    return { state: 'refused', photos: [] }
  if (records.length > 0 && photos.length === 0) return { state: 'malformed', photos: [] }
  return { state: 'listed', photos, next_token: textAt(envelope, 5) }
}

const MAX_IMAGES = 500
// The token of a tab does not depend on the language; its title does.
const STREET_VIEW_TAB = 'CgIgARICCAI='

export function readImages(node: unknown): Partial<Place> {
  const tabs = listAt(node, 171, 0)
  return {
    images: filled(readEach(tabs, readTab), MAX_IMAGES),
    thumbnail: urlAt(node, 72, 0, 1, 6, 0),
    street_view_url: streetView(tabs.find((tab) => textAt(tab, 0) === STREET_VIEW_TAB)),
  }
}

export function photoCount(node: unknown): number | undefined {
  const count = integerAt(node, 37, 1)
  return count !== undefined && count >= 0 ? count : undefined
}

/** Reads the single photos in a payload, each once. Older payloads have them beside the node. */
export function shownPhotos(node: unknown, payload: unknown): Photo[] {
  const records = [...listAt(node, 37, 0), ...listAt(node, 51, 0), ...listAt(payload, 24, 0)]
  return eachOnce(readEach(records, readPhoto))
}

function readTab(tab: unknown): Image | undefined {
  const url = urlAt(tab, 3, 0, 6, 0)
  return url === undefined ? undefined : omitUndefined({ title: lineAt(tab, 2), url })
}

// The tab may hold a user's 360° photo instead, which has no panorama id.
function streetView(tab: unknown): string | undefined {
  const url = readUrl(textAt(getAt(tab, 3), 0, 6, 0))
  const panorama = url && /[?&]panoid=([\w-]+)/.exec(url)?.[1]
  return panorama && readUrl(`https://www.google.com/maps/@?api=1&map_action=pano&pano=${panorama}`)
}
