import { keyOfNamed, type NamedPlace, readNamedPlace } from '../named-place.ts'

// The columns that hold the id of a place, the surest first, by their names in lower case without spaces and signs.
// These are the names of Placefleet, Apify, Outscraper, gosom, omkarcloud, SerpApi, Phantombuster and the Places API.
const NAMES = [
  /^(placekey|dataid|(google)?fid|ftid|(google)?featureid|googleid)$/,
  /^(google|googlemaps|gmaps|maps)?placeid$/,
  /^(url|link|uri|href|(place|location|google|googlemaps|gmaps|gmap|maps|map|listing|business)(page)?(url|link|uri|href))$/,
  /^(data|google|googlemaps)?cid$|^ludocid$/,
] as const

/** Fewer digits are no CID but another number: one CID in ten million has fewer. */
const SHORTEST_CID = 13

/**
 * Returns the columns of a header that hold ids, the surest first. Empty for a row that is no header of a known kind.
 */
export function idColumns(header: readonly string[]): number[] {
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  return NAMES.flatMap((pattern) => names.flatMap((name, column) => (pattern.test(name) ? [column] : [])))
}

/**
 * Returns the key of the place that a row names in one of these columns: of a place of which only the CID is known, the
 * key with that second half. Undefined when no cell can be read without a request.
 */
export function keyInRow(row: readonly string[], columns: readonly number[]): string | undefined {
  const places = columns.flatMap((column) => readNamedPlace(row[column] ?? '') ?? [])
  const whole = places.find(({ kind }) => kind === 'key') ?? places.find(({ kind }) => kind === 'cid')
  return whole && keyOf(whole)
}

/** Returns the key that a cell of an unknown column names. A short number is no CID there. */
export function keyInCell(cell: string): string | undefined {
  const named = /^\d+$/.test(cell.trim()) && cell.trim().length < SHORTEST_CID ? undefined : readNamedPlace(cell)
  return named && keyOf(named)
}

const keyOf = (named: NamedPlace): string | undefined => (named.kind === 'short_link' ? undefined : keyOfNamed(named))
