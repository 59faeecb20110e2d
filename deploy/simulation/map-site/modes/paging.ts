import { z } from 'zod'
import { chance } from '../random.ts'
import { share } from './values.ts'

/** How searches are ordered and cut into pages. Sources: CLIENT.md, section 3. */
export const PAGING_MODES = {
  order: z
    .enum(['relevance', 'distance'])
    .default('relevance')
    .describe('order of search results (business/answer/7091: relevance, distance and prominence)'),
  mostResults: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(120)
    .describe('most places of a search by offset: 120 (the page), 219 (serp#669), up to 839 (R), 20 (gosom#26)'),
  shortPages: share.default(0).describe('share of pages before the last that hold fewer than 20 places (serp#669)'),
  lastPage: z
    .enum(['any', 'full'])
    .default('any')
    .describe('full: a later page comes only when 20 places fit behind its offset, else it is empty (serp#669)'),
  afterEnd: z
    .enum(['empty', 'first-page'])
    .default('empty')
    .describe('what comes behind the last page: nothing, or the first page again (serp#1340)'),
  offsetZero: z
    .enum(['fine', 'empty-when-sent', 'empty-when-absent'])
    .default('fine')
    .describe('the first page is empty when offset 0 is sent (serp#2171), or when it is not (serp#1722)'),
  pagesNeedViewport: z
    .boolean()
    .default(false)
    .describe('without coordinates pages from the second on are empty (serp#2563)'),
  ads: z.boolean().default(false).describe('two sponsored places on the first page of each search'),
  similar: z
    .boolean()
    .default(false)
    .describe('first pages hold similar places from elsewhere, which are no results (compass issue bYBjqHXL…)'),
}
export type PagingRules = z.infer<z.ZodObject<typeof PAGING_MODES>>

/** What a page of a search is asked for with. */
export interface PageAsked {
  /** Undefined when it was left out, which is not the same as 0. */
  offset: number | undefined
  size: number
  hasViewport: boolean
}

const PAGE = 20
const SHORT_SALT = 9101

/** The positions of a list, some of which hold nothing, so that pages before the last are short. No place is lost. */
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

/** The places of one page of a search that shows `places`. */
export function pageOf(places: readonly number[], asked: PageAsked, rules: PagingRules, seed: number): number[] {
  const from = asked.offset ?? 0
  if (isQuirky(rules.offsetZero, asked.offset)) return []
  if (rules.pagesNeedViewport && from > 0 && !asked.hasViewport) return []
  const positions = withGaps(places, rules.shortPages, seed)
  const isPastEnd = from > 0 && from >= positions.length
  const doesNotFit = from > 0 && rules.lastPage === 'full' && from + asked.size > positions.length
  if (isPastEnd && rules.afterEnd === 'first-page')
    return pageOf(places, { ...asked, offset: undefined }, NO_QUIRKS, seed)
  if (isPastEnd || doesNotFit) return []
  return positions.slice(from, from + asked.size).filter((place) => place !== undefined)
}

const NO_QUIRKS: PagingRules = z.strictObject(PAGING_MODES).parse({})
