import type { DishWord, ServiceWord } from '../language/en.ts'
import { chance } from '../random.ts'
import { type Photo, photoOf } from './photos.ts'

/** What the owner of a place offers and posts, and what visitors ask and write about. In no language. */
export interface Extras {
  posts: { id: string; daysAgo: number; photo: Photo | undefined }[]
  services: { service: ServiceWord; euros: number | undefined; described: boolean }[]
  dishes: { dish: DishWord; photo: Photo }[]
  /** How many answers each question has. */
  questions: number[]
  topics: { nth: number; count: number }[]
  /** The longest usual stay in minutes; absent when unknown. */
  stay: number | undefined
}

const EXTRA_SALT = 131
const SERVICES: readonly ServiceWord[] = ['consultation', 'check', 'weekend']
const DISHES: readonly DishWord[] = ['soup', 'cake', 'salad']

/** Returns the extras of a place. Some places have none of a kind. */
export function extrasOf(seed: number, index: number, gastronomy: boolean): Extras {
  const dice = chance(seed, index, EXTRA_SALT)
  const pickFew = <Kind>(kinds: readonly Kind[]): readonly Kind[] =>
    dice.happens(0.5) ? kinds.slice(0, dice.between(1, kinds.length)) : []
  const picture = (nth: number) => photoOf(seed, index, 5_000 + nth)
  return {
    posts: pickFew([0, 1, 2]).map((nth) => ({
      id: String(dice.between(1_000_000, 9_999_999)),
      daysAgo: 3 + nth * 20,
      photo: dice.happens(0.7) ? picture(nth) : undefined,
    })),
    services: pickFew(gastronomy ? [] : SERVICES).map((service) => ({
      service,
      euros: dice.happens(0.6) ? dice.between(10, 200) : undefined,
      described: dice.happens(0.5),
    })),
    dishes: pickFew(gastronomy ? DISHES : []).map((dish, nth) => ({ dish, photo: picture(10 + nth) })),
    questions: pickFew([0, 1]).map(() => dice.between(0, 2)),
    topics: pickFew([0, 1, 2]).map((nth) => ({ nth, count: dice.between(2, 60) })),
    stay: dice.happens(0.4) ? dice.pick([20, 30, 45, 60, 120]) : undefined,
  }
}
