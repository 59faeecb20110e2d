import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { metresBetween } from '@placefleet/shared/great-circle'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { taskOf } from './collecting.ts'

const CENTRE = { latitude: 52.52, longitude: 13.405 }

/** Returns the keys of all places of a keyword within a radius, sorted. */
export function keysWithin(city: City, keyword: string, radius: number): string[] {
  const places = matchesOf(city.seed, city.size, keyword).map((index) => city.details(index))
  const inside = places.filter(({ location: { lat, lon } }) => {
    return metresBetween(CENTRE, { latitude: lat, longitude: lon }) <= radius
  })
  return inside.map(({ ids }) => ids.dataId).sort()
}

/** Returns a task that searches for bakeries around the centre of the city. */
export const areaSearch = (parameters: Partial<TaskParameters>, places_wanted = 10_000) =>
  taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { ...CENTRE, ...parameters }, places_wanted })
