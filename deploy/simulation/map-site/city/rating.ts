import { chance } from '../random.ts'

/** The rating of a place. */
export interface Rating {
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

/** Returns the rating of place number `index`; undefined when unrated (about 6 %). About 6 % hide their count. */
export function ratingOf(seed: number, index: number): Rating | undefined {
  const dice = chance(seed, index, RATING_SALT)
  if (dice.happens(0.06)) return undefined
  const count = countOf(dice.next(), dice.next())
  const good = 0.5 + dice.next() * 0.4
  const fourStars = Math.floor(count * (1 - good) * 0.5)
  const threeStars = Math.floor(count * (1 - good) * 0.2)
  const twoStars = Math.floor(count * (1 - good) * 0.1)
  const oneStar = Math.floor(count * (1 - good) * 0.2)
  const perStar = [oneStar, twoStars, threeStars, fourStars, count - oneStar - twoStars - threeStars - fourStars]
  const sum = perStar.reduce((total, number, stars) => total + number * (stars + 1), 0)
  const value = Math.round((10 * sum) / count) / 10
  return { value, count, perStar: dice.happens(0.06) ? undefined : perStar }
}
