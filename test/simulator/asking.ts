import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { onTestFinished } from 'vitest'

/** Returns a map site of the test's own. */
export async function mapSite(options: Partial<SiteOptions> = {}, places = 3000, seed = 7): Promise<MapSite> {
  const site = await startMapSite({ seed, places, options })
  onTestFinished(() => site.close())
  return site
}

/** Returns the cookies that a site sets on a page. */
export async function cookiesFrom(site: MapSite): Promise<string> {
  const response = await fetch(`${site.url}/maps`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Returns the JSON after the guard of a body. */
export function unguarded(text: string): unknown {
  if (!text.startsWith(")]}'\n")) throw new Error(`no guard: ${text.slice(0, 40)}`)
  return JSON.parse(text.slice(5))
}

/** Returns the member at a path of indexes, undefined when any step is missing. */
export function at(value: unknown, ...path: number[]): unknown {
  return path.reduce<unknown>((inner, index) => (Array.isArray(inner) ? inner[index] : undefined), value)
}

/** Returns the member at a path as a list, empty when there is none. */
export function listAt(value: unknown, ...path: number[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Returns a short `pb` as public tools send it: a viewport, 20 places from an offset. */
export const searchPb = ({ lat = 52.52, lon = 13.405, offset = 0, more = '' } = {}) =>
  `!4m12!1m3!1d3826.9!2d${lon}!3d${lat}!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!8i${offset}!10b1!12m3!49b1!74i150000!85b1!19m4!2m3!1i360!2i120!4i8${more}`

/** Returns the address of a search payload. */
export const searchAddress = (site: MapSite, keyword: string, pb: string, hl = 'en') =>
  `${site.url}/search?tbm=map&authuser=0&hl=${hl}&q=${encodeURIComponent(keyword)}&pb=${encodeURIComponent(pb)}`

/** Returns the place nodes of one page of a search. */
export async function searchNodes(site: MapSite, keyword: string, pb: string, headers: Record<string, string> = {}) {
  const response = await fetch(searchAddress(site, keyword, pb), { headers })
  return listAt(unguarded(await response.text()), 0, 1)
    .map((row) => at(row, 14))
    .filter(Array.isArray)
}

/** Asks for a place's payload by data id. */
export const fetchPlace = (
  site: MapSite,
  id: string,
  { hl = 'en', headers = {} }: { hl?: string; headers?: Record<string, string> } = {},
) => fetch(`${site.url}/maps/preview/place?authuser=0&hl=${hl}&pb=${encodeURIComponent(`!1m1!1s${id}`)}`, { headers })

/** Returns the first place of a city that fulfils a condition. */
export function placeWith(site: MapSite, wanted: (details: ReturnType<MapSite['city']['details']>) => boolean): number {
  for (let index = 0; index < site.city.size; index++) if (wanted(site.city.details(index))) return index
  throw new Error('the city has no such place')
}
