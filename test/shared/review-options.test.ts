import type { Review } from '@placefleet/shared/review'
import { endsMatches, matchingReviews, type ReviewOptions } from '@placefleet/shared/review-options'
import { expect, test } from 'vitest'

const ALL: ReviewOptions = { reviews_sort: 'newest', reviewer_names: true }
const NEW: Review = { id: 'new', author: 'Ada', rating: 2, published_at: '2026-03-02T00:00:00.000Z' }
const OLD: Review = { id: 'old', author_url: 'https://a.example', rating: 5, published_at: '2026-03-01T23:59:59.999Z' }
const FOREIGN: Review = { id: 'foreign', profile_picture: 'https://p.example', rating: 4.6 }
const BARE: Review = { id: 'bare', text: 'Good' }
const REVIEWS = [NEW, OLD, FOREIGN, BARE]

const kept = (options: Partial<ReviewOptions>) => matchingReviews(REVIEWS, { ...ALL, ...options }).map(({ id }) => id)

test('without options every review is wanted, unchanged', () => {
  expect(matchingReviews(REVIEWS, ALL)).toEqual(REVIEWS)
})

test('a date keeps the reviews of that day and later, and none without a date', () => {
  expect(kept({ reviews_since: '2026-03-02' })).toEqual(['new'])
  expect(kept({ reviews_since: '2026-03-01' })).toEqual(['new', 'old'])
})

test('stars keep reviews with them, in whole stars, and none without a rating', () => {
  expect(kept({ reviews_ratings: [1, 2] })).toEqual(['new'])
  expect(kept({ reviews_ratings: [5] })).toEqual(['old', 'foreign'])
})

test('reviews without names have none, and all the rest', () => {
  const anonymous = matchingReviews(REVIEWS, { ...ALL, reviewer_names: false })
  expect(anonymous).toEqual([
    { id: 'new', rating: 2, published_at: NEW.published_at },
    { id: 'old', rating: 5, published_at: OLD.published_at },
    { id: 'foreign', rating: 4.6 },
    BARE,
  ])
})

test.each<[string, Partial<ReviewOptions>, Review | undefined, boolean]>([
  ['an older review, newest first', { reviews_since: '2026-03-02' }, OLD, true],
  ['a newer review', { reviews_since: '2026-03-02' }, NEW, false],
  ['a review without a date', { reviews_since: '2026-03-02' }, BARE, false],
  ['an older review in another order', { reviews_since: '2026-03-02', reviews_sort: 'relevant' }, OLD, false],
  ['more stars, lowest first', { reviews_ratings: [1, 4], reviews_sort: 'lowest' }, OLD, true],
  ['as many stars, lowest first', { reviews_ratings: [1, 5], reviews_sort: 'lowest' }, OLD, false],
  ['fewer stars, highest first', { reviews_ratings: [3, 5], reviews_sort: 'highest' }, NEW, true],
  ['as many stars, highest first', { reviews_ratings: [2], reviews_sort: 'highest' }, NEW, false],
  ['stars between the wanted ones, highest first', { reviews_ratings: [1, 5], reviews_sort: 'highest' }, NEW, false],
  ['stars between the wanted ones, lowest first', { reviews_ratings: [1, 5], reviews_sort: 'lowest' }, NEW, false],
  ['more stars, in no order of stars', { reviews_ratings: [1], reviews_sort: 'relevant' }, OLD, false],
  ['any stars where all are wanted', { reviews_sort: 'highest' }, NEW, false],
  ['other stars, newest first', { reviews_ratings: [1] }, OLD, false],
  ['no review', { reviews_since: '2026-03-02' }, undefined, false],
])('nothing wanted comes after %s, if the order says so', (_, options, last, ends) => {
  expect(endsMatches(last, { ...ALL, ...options })).toBe(ends)
})
