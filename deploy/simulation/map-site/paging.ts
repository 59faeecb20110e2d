import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'

/** `offset` is undefined when the request has none. The site may treat that differently from 0. */
type PageRequest = { offset: number | undefined; size: number; hasViewport: boolean }

const PAGE = 20
const SHORT_SALT = 9101

/** Returns the places with gaps between them, which make some pages before the last short. Keeps every place. */
function withGaps(places: readonly number[], share: number, seed: number): readonly (number | undefined)[] {
  if (share === 0) return places
  const positions: (number | undefined)[] = []
  for (let taken = 0; taken < places.length; ) {
    const dice = chance(seed, positions.length, SHORT_SALT)
    const room = dice.happens(share) ? dice.between(1, PAGE - 6) : PAGE
    const page = places.slice(taken, taken + room)
    taken += page.length
    positions.push(...page, ...(taken < places.length ? Array<undefined>(PAGE - page.length) : []))
  }
  return positions
}

/** Returns the places of one page of a search that found `places`. */
export function pageOf(places: readonly number[], request: PageRequest, rules: SiteOptions, seed: number): number[] {
  const { offset, size, hasViewport } = request
  if (rules.offsetZero === 'empty-when-sent' && offset === 0) return []
  if (rules.offsetZero === 'empty-when-absent' && offset === undefined) return []
  const from = offset ?? 0
  if (rules.pagesNeedViewport && from > 0 && !hasViewport) return []
  const positions = withGaps(places, rules.shortPages, seed)
  const isPastEnd = from > 0 && from >= positions.length
  if (isPastEnd && rules.afterEnd === 'empty') return []
  if (!isPastEnd && from > 0 && rules.lastPage === 'full' && from + size > positions.length) return []
  const start = isPastEnd ? 0 : from
  return positions.slice(start, start + size).filter((place) => place !== undefined)
}
