import { SITE_LANGUAGES, wordsOf } from '../language/choose.ts'
import { chance, hash } from '../random.ts'
import { CATEGORIES } from './categories.ts'
import { CITY, distanceMetres, type Location, locationOf } from './geography.ts'
import { titleOf } from './names.ts'

/** The order of the results. */
export type Ranking = { readonly order: 'relevance' | 'distance'; readonly most: number }

/** The default ranking of the site. */
export const USUAL_RANKING: Ranking = { order: 'relevance', most: 120 }

const PAGE = 20
const REPEATS = 2
const FAR_METRES = 300_000

/** Returns the words in lower case without diacritics: "Café in Berlin" gives ["cafe", "in", "berlin"]. */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const singulars = (phrase: string): string[] => [
  phrase,
  phrase.replace(/ies$/, 'y'),
  phrase.replace(/s$/, ''),
  phrase.replace(/en$/, ''),
]

const categoryNames = (): Map<string, number> => {
  const names = new Map<string, number>()
  for (const [number, { id, word }] of CATEGORIES.entries()) {
    const labels = [word, ...SITE_LANGUAGES.map((language) => wordsOf(language).category[id])]
    for (const label of labels) names.set(wordsIn(label).join(' '), number)
  }
  return names
}

const CATEGORY_NAMES = categoryNames()

const categoryNamed = (phrase: string) =>
  singulars(phrase)
    .map((name) => CATEGORY_NAMES.get(name))
    .find((category) => category !== undefined)

/** Returns the relevant part of a keyword. Removes the town: "in <somewhere>", or its name at the end. */
const essence = (keyword: string): string[] => {
  const words = wordsIn(keyword)
  const place = words.indexOf('in')
  const named = place > 0 ? words.slice(0, place) : words
  return named.length > 1 && named.at(-1) === 'berlin' ? named.slice(0, -1) : named
}

const every = function* (from: number, step: number, size: number) {
  for (let index = from; index < size; index += step) yield index
}

const matchesByTitle = (seed: number, size: number, words: string[]): number[] => {
  const number = words.map(Number).findLast((value) => Number.isInteger(value) && value >= 0 && value < size)
  const category = words.map(categoryNamed).find((category) => category !== undefined)
  const candidates =
    number !== undefined ? [number] : every(category ?? 0, category === undefined ? 1 : CATEGORIES.length, size)
  const matches: number[] = []
  for (const index of candidates) {
    const title = new Set(wordsIn(titleOf(seed, index)))
    if (words.every((word) => title.has(word) || (category !== undefined && categoryNamed(word) === category)))
      matches.push(index)
  }
  return matches
}

/** Returns all places whose category or title the keyword names, in no order. */
export function matchesOf(seed: number, size: number, keyword: string): number[] {
  const words = essence(keyword)
  if (words.length === 0) return []
  const category = categoryNamed(words.join(' '))
  return category === undefined ? matchesByTitle(seed, size, words) : [...every(category, CATEGORIES.length, size)]
}

/** Returns the viewport of the ranking: the requested one, or the city when that is elsewhere or absent. */
export function rankedAround(viewport: Location | undefined): Location {
  return viewport && distanceMetres(viewport, CITY) < FAR_METRES ? viewport : CITY
}

export type PlacePosition = { readonly index: number; readonly location: Location }

export const located = (seed: number, matches: number[]): PlacePosition[] =>
  matches.map((index) => ({ index, location: locationOf(seed, index) }))

const RELEVANCE_SALT = 9301
/** How much prominence counts: the most prominent place ranks like one at a quarter of the distance. */
const PROMINENCE_BITS = 2

const prominence = (seed: number, index: number) =>
  2 ** (PROMINENCE_BITS * chance(seed, index, RELEVANCE_SALT).next() - PROMINENCE_BITS / 2)

/** Returns the places that a search finds, best first. By relevance, a prominent place may come before a nearer one. */
export function rank(
  seed: number,
  matches: readonly PlacePosition[],
  viewport: Location | undefined,
  { order, most }: Ranking,
): number[] {
  const centre = rankedAround(viewport)
  const weigh = (index: number) => (order === 'relevance' ? prominence(seed, index) : 1)
  return matches
    .map(({ index, location }) => ({ index, metres: distanceMetres(centre, location) * weigh(index) }))
    .sort((a, b) => a.metres - b.metres || a.index - b.index)
    .slice(0, most)
    .map(({ index }) => index)
}

/**
 * Returns the ranked places in pages: from the second page on, each page of 20 repeats up to two places of the page
 * before. Every place appears at least once.
 */
export function withOverlap(seed: number, ranked: number[]): number[] {
  const shown = ranked.slice(0, PAGE)
  for (let from = PAGE; from < ranked.length; from += PAGE - REPEATS) {
    const unlisted = ranked.slice(from, from + PAGE - REPEATS)
    const page = [...unlisted]
    for (let nth = 0; nth < REPEATS; nth++) {
      const roll = hash(seed, from, nth)
      const again = shown[shown.length - 1 - (roll % PAGE)]
      if (again !== undefined && !page.includes(again)) page.splice((roll >>> 8) % (page.length + 1), 0, again)
    }
    shown.push(...page)
  }
  return shown
}
