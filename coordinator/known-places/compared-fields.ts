import { createHash } from 'node:crypto'
import type { Place } from '@placefleet/shared/place'

/** The fields of a place whose change matters. Ratings, review counts and texts of the moment change every day. */
export const COMPARED_FIELDS = [
  'title',
  'category',
  'address',
  'website',
  'phone',
  'open_hours',
  'closed',
  'latitude',
  'longitude',
] as const satisfies readonly (keyof Place)[]

/** The decimals of a coordinate that matter: about 11 metres. */
const COORDINATE_DECIMALS = 4

export type ComparedFields = Partial<Pick<Place, (typeof COMPARED_FIELDS)[number]>>

/** Returns the fields of a place in one form: texts trimmed and composed, coordinates rounded, absent fields omitted. */
export function comparedFieldsOf(place: Omit<Place, 'place_key'>): ComparedFields {
  const fields = COMPARED_FIELDS.flatMap((name) => {
    const value = place[name]
    return value === undefined ? [] : [[name, normalized(value)]]
  })
  return Object.fromEntries(fields)
}

function normalized(value: NonNullable<ComparedFields[keyof ComparedFields]>) {
  if (typeof value === 'string') return plain(value)
  if (typeof value === 'number') return Number(value.toFixed(COORDINATE_DECIMALS))
  // Weekdays in one order, so that equal hours are equal as JSON.
  const days = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(days.map(([day, ranges = []]) => [day, ranges.map(plain)]))
}

const plain = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

/** The identity of a search: its keywords and named places, in any order, and its area. */
type Search = {
  keywords: readonly string[]
  places?: readonly string[] | undefined
  lat?: unknown
  lon?: unknown
  radius?: unknown
  area?: unknown
  bbox?: unknown
}

/** Returns the hash of a search: 16 hex digits. Jobs with the same search have the same hash. */
export function searchOf({ keywords, places, lat = '', lon = '', radius = 0, area, bbox }: Search): string {
  const words = keywords.map((keyword) => plain(keyword).toLowerCase()).sort()
  const search = JSON.stringify([words, lat, lon, radius, area, bbox, places?.toSorted()])
  return createHash('sha256').update(search).digest('hex').slice(0, 16)
}
