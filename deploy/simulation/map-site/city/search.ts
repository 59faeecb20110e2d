import { metresBetween } from '@placefleet/shared/great-circle'
import { SITE_LANGUAGES, wordsOf } from '../language.ts'
import { chance, hash } from '../random.ts'
import { CATEGORIES } from './categories.ts'
import { CITY, type Location, locationOf } from './geography.ts'
import { titleOf } from './names.ts'

/** The order of the results, and how many there are at most. */
export type Ranking = { readonly order: 'relevance' | 'distance'; readonly most: number }

export const USUAL_RANKING: Ranking = { order: 'relevance', most: 120 }

const PAGE = 20
const REPEATS = 2
const FAR_METRES = 300_000

const distance = (a: Location, b: Location) =>
  metresBetween({ latitude: a.lat, longitude: a.lon }, { latitude: b.lat, longitude: b.lon })

/** Returns the words in lower case without diacritics: "Café in Berlin" gives ["cafe", "in", "berlin"]. */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const CATEGORY_NAMES = new Map(
  CATEGORIES.flatMap(({ id, word }, number) =>
    [word, ...SITE_LANGUAGES.map((language) => wordsOf(language).category[id])].map((label): [string, number] => [
      wordsIn(label).join(' '),
      number,
    ]),
  ),
)

const categoryNamed = (phrase: string): number | undefined =>
  [phrase, phrase.replace(/ies$/, 'y'), phrase.replace(/s$/, ''), phrase.replace(/en$/, '')]
    .map((name) => CATEGORY_NAMES.get(name))
    .find((category) => category !== undefined)

/** Returns the relevant part of a keyword. Removes the town: "in <somewhere>", or its name at the end. */
const essence = (keyword: string): string[] => {
  const words = wordsIn(keyword)
  const place = words.indexOf('in')
  const named = place > 0 ? words.slice(0, place) : words
  return named.length > 1 && named.at(-1) === 'berlin' ? named.slice(0, -1) : named
}

const every = (from: number, step: number, size: number): number[] =>
  Array.from({ length: Math.ceil((size - from) / step) }, (_, nth) => from + nth * step)

const matchesByTitle = (seed: number, size: number, words: string[]): number[] => {
  const number = words.map(Number).findLast((value) => Number.isInteger(value) && value >= 0 && value < size)
  const category = words.map(categoryNamed).find((category) => category !== undefined)
  const candidates =
    number !== undefined ? [number] : every(category ?? 0, category === undefined ? 1 : CATEGORIES.length, size)
  return candidates.filter((index) => {
    const title = new Set(wordsIn(titleOf(seed, index)))
    return words.every((word) => title.has(word) || (category !== undefined && categoryNamed(word) === category))
  })
}

/** Returns all places whose category or title the keyword names, in no order. */
export function matchesOf(seed: number, size: number, keyword: string): number[] {
  const words = essence(keyword)
  if (words.length === 0) return []
  const category = categoryNamed(words.join(' '))
  return category === undefined ? matchesByTitle(seed, size, words) : every(category, CATEGORIES.length, size)
}

/** Returns the viewport of the ranking: the requested one, or the city when that is elsewhere or absent. */
export function rankedAround(viewport: Location | undefined): Location {
  return viewport && distance(viewport, CITY) < FAR_METRES ? viewport : CITY
}

const RELEVANCE_SALT = 9301
/** How much prominence counts: the most prominent place ranks like one at a quarter of the distance. */
const PROMINENCE_BITS = 2

const prominence = (seed: number, index: number) =>
  2 ** (PROMINENCE_BITS * chance(seed, index, RELEVANCE_SALT).next() - PROMINENCE_BITS / 2)

/** Returns the places that a search finds, best first. By relevance, a prominent place may come before a nearer one. */
export function rank(seed: number, matches: readonly number[], centre: Location, { order, most }: Ranking): number[] {
  const weigh = (index: number) => (order === 'relevance' ? prominence(seed, index) : 1)
  return matches
    .map((index) => ({ index, metres: distance(centre, locationOf(seed, index)) * weigh(index) }))
    .sort((a, b) => a.metres - b.metres || a.index - b.index)
    .slice(0, most)
    .map(({ index }) => index)
}

/**
 * Returns the ranked places in pages: from the second page on, each page of 20 repeats up to two places of the page
 * before. Every place appears at least once.
 */
export function withOverlap(seed: number, ranked: readonly number[]): number[] {
  const shown = ranked.slice(0, PAGE)
  for (let from = PAGE; from < ranked.length; from += PAGE - REPEATS) {
    const page = ranked.slice(from, from + PAGE - REPEATS)
    for (let nth = 0; nth < REPEATS; nth++) {
      const roll = hash(seed, from, nth)
      const again = shown[shown.length - 1 - (roll % PAGE)]
      if (again !== undefined && !page.includes(again)) page.splice((roll >>> 8) % (page.length + 1), 0, again)
    }
    shown.push(...page)
  }
  return shown
}
