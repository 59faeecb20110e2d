import { z } from 'zod'
import { chance } from '../random.ts'
import { share } from './values.ts'

/** The order and the pages of searches. Where the real site has them: sources.ts. */
export const PAGING_MODES = {
  order: z.enum(['relevance', 'distance']).default('relevance').describe('order of search results'),
  mostResults: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(120)
    .describe('most places that a search returns: 120 as the page, up to 839, or 20'),
  shortPages: share.default(0).describe('share of pages before the last with fewer than 20 places'),
  lastPage: z.enum(['any', 'full']).default('any').describe('full: a later page with fewer than 20 places is empty'),
  afterEnd: z
    .enum(['empty', 'first-page'])
    .default('empty')
    .describe('the answer after the last page: empty, or the first page again'),
  offsetZero: z
    .enum(['fine', 'empty-when-sent', 'empty-when-absent'])
    .default('fine')
    .describe('return an empty first page when the request has offset 0, or when it has none'),
  pagesNeedViewport: z.boolean().default(false).describe('without coordinates, return empty pages from the second on'),
  ads: z.boolean().default(false).describe('show two sponsored places on the first page of each search'),
  similar: z
    .boolean()
    .default(false)
    .describe('add similar places from elsewhere to first pages; they are not results'),
}
type PagingRules = z.infer<z.ZodObject<typeof PAGING_MODES>>

export interface PageRequest {
  /** Undefined when the request has no offset. The site may treat that differently from 0. */
  offset: number | undefined
  size: number
  hasViewport: boolean
}

const PAGE = 20
const SHORT_SALT = 9101

/** Returns the places with gaps between them, which make some pages before the last short. Keeps every place. */
function withGaps(places: readonly number[], share: number, seed: number): (number | undefined)[] {
  if (share === 0) return [...places]
  const positions: (number | undefined)[] = []
  for (let taken = 0; taken < places.length; ) {
    const dice = chance(seed, positions.length, SHORT_SALT)
    const room = dice.happens(share) ? dice.between(1, PAGE - 6) : PAGE
    const page = places.slice(taken, taken + room)
    taken += page.length
    const isLast = taken >= places.length
    positions.push(...page, ...(isLast ? [] : Array<undefined>(PAGE - page.length)))
  }
  return positions
}

const isQuirky = (offsetZero: PagingRules['offsetZero'], offset: number | undefined) =>
  (offsetZero === 'empty-when-sent' && offset === 0) || (offsetZero === 'empty-when-absent' && offset === undefined)

/** Returns the places of one page of a search that found `places`. */
export function pageOf(places: readonly number[], request: PageRequest, rules: PagingRules, seed: number): number[] {
  const from = request.offset ?? 0
  if (isQuirky(rules.offsetZero, request.offset)) return []
  if (rules.pagesNeedViewport && from > 0 && !request.hasViewport) return []
  const positions = withGaps(places, rules.shortPages, seed)
  const isPastEnd = from > 0 && from >= positions.length
  const doesNotFit = from > 0 && rules.lastPage === 'full' && from + request.size > positions.length
  if (isPastEnd && rules.afterEnd === 'first-page')
    return pageOf(places, { ...request, offset: undefined }, NO_QUIRKS, seed)
  if (isPastEnd || doesNotFit) return []
  return positions.slice(from, from + request.size).filter((place) => place !== undefined)
}

const NO_QUIRKS: PagingRules = z.strictObject(PAGING_MODES).parse({})
