import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { Place } from '@placefleet/shared/place'
import { comparable } from '../../harness/agents/comparable.ts'
import type { Work } from './work.ts'

/** The fields of a place that a search omits or shortens. */
const NOT_IN_SEARCHES = [
  ...['images', 'street_view_url', 'reviews_per_rating', 'popular_times', 'user_reviews'],
  ...['user_reviews_extended', 'menu', 'description', 'posts', 'services', 'questions', 'popular_dishes'],
  ...['also_searched', 'review_topics', 'time_spent'],
]

/**
 * Compares the places of a contender with those of the city for its keywords.
 * @returns the number of places
 * @throws Error naming the first place that is wrong, duplicate, unknown or missing.
 */
export async function assertTruth(city: City, { output, keywords, fast }: Work): Promise<number> {
  const missing = new Set(keywords.flatMap((keyword) => city.keysOf(keyword)))
  const expected = missing.size
  for await (const line of createInterface({ input: createReadStream(output) })) {
    const place = Place.parse(JSON.parse(line))
    if (!missing.delete(place.place_key)) throw new Error(`${place.place_key} is there twice, or was not asked for`)
    const truth = city.place(city.indexOf(place.place_key) ?? -1)
    const different = differences(shown(place, fast), shown(truth, fast))
    if (different.length > 0) throw new Error(`${place.place_key} is wrong: ${different.join(', ')}`)
  }
  if (missing.size > 0) throw new Error(`${missing.size} of ${expected} places are missing, e.g. ${[...missing][0]}`)
  return expected
}

function shown(place: Place, fast: boolean): Record<string, unknown> {
  const parsed = comparable(Place.parse(JSON.parse(JSON.stringify(place))))
  return Object.fromEntries(Object.entries(parsed).filter(([name]) => !fast || !NOT_IN_SEARCHES.includes(name)))
}

function differences(got: Record<string, unknown>, truth: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(got), ...Object.keys(truth)])
  return [...names].filter((name) => !isDeepStrictEqual(got[name], truth[name]))
}
