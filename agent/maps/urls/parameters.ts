/**
 * Language of all texts (`hl`) and country (`gl`: order of results, form of phones and addresses). Without a country
 * the site derives it from the client's IP address.
 */
export interface Locale {
  readonly language: string
  readonly country?: string | undefined
}

/** The map site, as one client uses it. */
export type Site = { readonly base: URL; readonly locale: Locale }

export function localeParameters({ language, country }: Locale): Record<string, string | undefined> {
  return { authuser: '0', hl: language, gl: country }
}

/** A query string. It keeps `!`, also in `pb`: some endpoints refuse the `%21` of `URLSearchParams`. */
export function queryString(parameters: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`]))
    .join('&')
}

/** Encodes a query for a path or for `q=`. Spaces become `+`, as on the site. */
export const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')

// The site's `pb` parameter is a protocol buffer written as text: `!<field><type><value>` for each field, and for a
// message `!<field>m<K>`, where K tokens follow that belong to it, those of inner messages counted too.

/** A text field. `!` and `*` inside are written as the site writes them, so that they end no field. */
export function pbText(field: number, value: string): string {
  return `!${field}s${value.replaceAll('*', '*2A').replaceAll('!', '*21')}`
}

/** A field of another type: `d` double, `f` float, `i` int, `e` enum, `b` bool. */
export function pbNumber(field: number, type: 'd' | 'f' | 'i' | 'e' | 'b', value: number): string {
  return `!${field}${type}${plainNumber(value)}`
}

/** Returns a message of these fields with the correct count. The site answers a wrong count with 400. */
export function pbMessage(field: number, ...fields: readonly string[]): string {
  const inside = fields.join('')
  return `!${field}m${inside.split('!').length - 1}${inside}`
}

/** Returns a number without exponent: the site reads `1e-7` as an enum. */
export function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text
}

/** A section of the map: its centre in degrees and the zoom level in the page's URL (1 to 21). */
export interface Viewport {
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

// Metres at zoom 15, the equator and 768 pixels of height. Exact to 10 digits on four recorded `pb` values.
const ALTITUDE_AT_ZOOM_15 = 15_959.273281372596
const WIDTH = 1_024
const HEIGHT = 768
const FIELD_OF_VIEW = 13.1

/** Returns the camera's height in metres, by which the site expresses the zoom: half of it for each level. */
export function altitude(latitude: number, zoom: number, height: number = HEIGHT): number {
  return (ALTITUDE_AT_ZOOM_15 * 2 ** (15 - zoom) * Math.cos((latitude * Math.PI) / 180) * height) / 768
}

export function viewportPb(field: number, { latitude, longitude, zoom }: Viewport, rotation = false): string {
  const camera = [pbNumber(1, 'd', altitude(latitude, zoom)), pbNumber(2, 'd', longitude), pbNumber(3, 'd', latitude)]
  return pbMessage(
    field,
    pbMessage(1, ...camera),
    ...(rotation ? [pbMessage(2, pbNumber(1, 'f', 0), pbNumber(2, 'f', 0), pbNumber(3, 'f', 0))] : []),
    pbMessage(3, pbNumber(1, 'i', WIDTH), pbNumber(2, 'i', HEIGHT)),
    pbNumber(4, 'f', FIELD_OF_VIEW),
  )
}
