import type { Image } from '@placefleet/shared/place'
import { lineAt, omitUndefined } from '../answers/fit.ts'
import { getAt, integerAt, listAt, numberAt } from '../answers/index-path.ts'
import { urlAt } from '../answers/site-url.ts'

/** A picture of a place. `taken` is year, month, day and hour as far as they are told; sizes are pixels. */
export interface Photo {
  id: string
  url: string
  kind: 'photo' | 'video' | 'panorama' | 'street_view'
  caption?: string | undefined
  width?: number | undefined
  height?: number | undefined
  latitude?: number | undefined
  longitude?: number | undefined
  taken?: number[] | undefined
  upload_source?: string | undefined
  dish?: string | undefined
}

/** Reads a photo record, as it stands in payloads and photo lists. Undefined without id or URL. */
export function readPhoto(record: unknown): Photo | undefined {
  const id = lineAt(record, 0)
  const url = urlAt(record, 6, 0)
  if (id === undefined || url === undefined) return undefined
  return omitUndefined({
    id,
    url,
    kind: kindOf(record),
    caption: lineAt(record, 20),
    width: integerAt(record, 6, 2, 0),
    height: integerAt(record, 6, 2, 1),
    latitude: numberAt(record, 8, 0, 2),
    longitude: numberAt(record, 8, 0, 1),
    taken: takenAt(record),
    upload_source: lineAt(record, 21, 6, 5, 2),
    dish: lineAt(record, 21, 14, 0, 2, 0),
  })
}

/** The photo as an image of a place: titled with its dish, else its caption. */
export function photoImage({ url, dish, caption }: Photo): Image {
  return omitUndefined({ title: dish ?? caption, url })
}

// [1]: 10 by a user, 0 street view; [22]: 0 video, 1 photo, 2 panorama or street view.
function kindOf(record: unknown): Photo['kind'] {
  if (integerAt(record, 1) === 0) return 'street_view'
  const kind = integerAt(record, 22)
  if (kind === 2) return 'panorama'
  return kind === 0 && Array.isArray(getAt(record, 26)) ? 'video' : 'photo'
}

function takenAt(record: unknown): number[] | undefined {
  const parts = listAt(record, 21, 6, 8)
  return parts.length > 0 && parts.length <= 6 && parts.every((part) => Number.isSafeInteger(part))
    ? parts.map(Number)
    : undefined
}
