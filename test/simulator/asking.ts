import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { Place } from '@placefleet/shared/place'
import { onTestFinished } from 'vitest'

/** Returns a map site of the test's own. */
export async function mapSite(options: Partial<SiteOptions> = {}, places = 3000): Promise<MapSite> {
  const site = await startMapSite({ seed: 7, places, options })
  onTestFinished(() => site.close())
  return site
}

/** Returns the JSON after the guard of an answer. `cookie`: of a page; without it places are trimmed. */
export async function payloadAt(site: MapSite, path: string, cookie = 'NID=1'): Promise<unknown> {
  const text = await (await fetch(site.url + path, { headers: { cookie } })).text()
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

/** Returns the path of a search payload, with a short `pb` as public tools send it: a viewport, 20 places. */
export function searchPath(keyword: string, more = ''): string {
  const pb = `!4m12!1m3!1d3826.9!2d13.405!3d52.52!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!10b1!12m3!49b1!74i150000!85b1!19m4!2m3!1i360!2i120!4i8${more}`
  return `/search?tbm=map&authuser=0&hl=en&q=${encodeURIComponent(keyword)}&pb=${encodeURIComponent(pb)}`
}

/** Returns the path of a place's payload. */
export const placePath = (site: MapSite, index: number): string =>
  `/maps/preview/place?authuser=0&hl=en&pb=${encodeURIComponent(`!1m1!1s${site.city.details(index).ids.dataId}`)}`

/** Returns the first place of a city that fulfils a condition. */
export function placeWith({ city }: MapSite, wanted: (place: Place) => boolean): number {
  for (let index = 0; index < city.size; index++) if (wanted(city.place(index))) return index
  throw new Error('the city has no such place')
}
