import { categoryOf, GASTRONOMY } from '../city/categories.ts'
import { locationOf, plusCodeOf, streetAddressOf } from '../city/geography.ts'
import { accountId, identifiersOf } from '../city/identifiers.ts'
import { localTitleOf, titleOf } from '../city/names.ts'
import { photosOf } from '../city/photos.ts'
import { webAddressOf } from '../city/web-address.ts'
import { chance } from '../random.ts'
import { scheduleOf } from './schedule.ts'

/** What a place is, without a language. */
export type PlaceDetails = ReturnType<typeof detailsOf>

const DETAIL_SALT = 61

const closedOf = (roll: number) => (roll < 0.02 ? 'permanently' : roll < 0.035 ? 'temporarily' : undefined)

const phoneOf = (seed: number, index: number) => {
  const dice = chance(seed, index, DETAIL_SALT + 2)
  if (dice.happens(0.06)) return undefined
  const subscriber = String(dice.between(2_000_000, 9_999_999))
  return { national: `030 ${subscriber}`, international: `+49 30 ${subscriber}` }
}

/** Returns place number `index`. The same seed and number always return the same place. */
export function detailsOf(seed: number, index: number) {
  const dice = chance(seed, index, DETAIL_SALT)
  const category = categoryOf(index)
  const gastronomy = GASTRONOMY.includes(category.id)
  const closed = closedOf(dice.next())
  // A plumber may only visit customers.
  const hasAddress = !(category.id === 'plumber' && dice.happens(0.4))
  return {
    seed,
    index,
    title: titleOf(seed, index),
    localTitle: localTitleOf(seed, index),
    category,
    gastronomy,
    ids: identifiersOf(seed, index),
    location: locationOf(seed, index),
    address: hasAddress ? streetAddressOf(seed, index) : undefined,
    plusCode: plusCodeOf(seed, index),
    phone: phoneOf(seed, index),
    web: webAddressOf(seed, index),
    rating: ratingOf(seed, index),
    price: gastronomy && dice.happens(0.6) ? dice.pickText('€|€€|€€€|€10–20|€20–30') : undefined,
    schedule: closed ? undefined : scheduleOf(seed, index),
    closed,
    hasBusyHours: gastronomy && !closed && dice.happens(0.7),
    ownerId: dice.happens(0.75) ? accountId(seed, index) : undefined,
    hasOwnerText: dice.happens(0.3),
    hasEditorial: dice.happens(0.25),
    ...photosOf(seed, index, gastronomy),
  } as const
}

interface Rating {
  value: number
  /** The number of ratings by stars: index 0 = one star. Absent when the site hides it: then the count is unknown. */
  perStar: number[] | undefined
  count: number
}

const RATING_SALT = 101

const countOf = (roll: number, spread: number) => {
  if (roll < 0.2) return 1 + Math.floor(spread * 9)
  return roll < 0.8 ? 10 + Math.floor(spread * 140) : 150 + Math.floor(spread * 17_000)
}

// About 6 % of the places are unrated, and as many hide their count.
function ratingOf(seed: number, index: number): Rating | undefined {
  const dice = chance(seed, index, RATING_SALT)
  if (dice.happens(0.06)) return undefined
  const count = countOf(dice.next(), dice.next())
  const bad = 1 - (0.5 + dice.next() * 0.4)
  const [one = 0, two = 0, three = 0, four = 0] = [0.2, 0.1, 0.2, 0.5].map((share) => Math.floor(count * bad * share))
  const perStar = [one, two, three, four, count - one - two - three - four]
  const sum = perStar.reduce((total, number, stars) => total + number * (stars + 1), 0)
  const value = Math.round((10 * sum) / count) / 10
  return { value, count, perStar: dice.happens(0.06) ? undefined : perStar }
}
