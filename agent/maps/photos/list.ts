import { batchMessage, parseList } from '../answers/body.ts'
import { getAt, integerAt, listAt, textAt } from '../answers/index-path.ts'
import { type Photo, readPhoto } from './payload.ts'

/** A page of a place's photos. `total` counts all of them; the last page has no `next_token`. */
export interface PhotoList {
  state: 'listed' | 'refused' | 'malformed'
  photos: Photo[]
  total?: number
  next_token?: string
}

const PROCEDURE = '/MapsPhotoService.ListEntityPhotos'

/** Reads an answer with photos: the list's own body, or the answer of the page's batchexecute request. */
export function parsePhotoList(text: string): PhotoList {
  const envelope = batchMessage(text, PROCEDURE) ?? parseList(text)
  if (!Array.isArray(envelope)) return { state: 'malformed', photos: [] }
  const records = listAt(envelope, 0)
  const photos = records.map(readPhoto).filter((photo) => photo !== undefined)
  const total = integerAt(envelope, 1)
  const token = textAt(envelope, 5)
  if (!Array.isArray(getAt(envelope, 0)) && total === undefined) return { state: 'refused', photos: [] }
  if (records.length > 0 && photos.length === 0) return { state: 'malformed', photos: [] }
  return {
    state: 'listed',
    photos: [...new Map(photos.map((photo) => [photo.id, photo])).values()],
    ...(total !== undefined && total >= 0 ? { total } : {}),
    ...(token === undefined ? {} : { next_token: token }),
  }
}
