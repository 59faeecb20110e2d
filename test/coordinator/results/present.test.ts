import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { presentResult } from '@placefleet/coordinator/results/present'
import { Result } from '@placefleet/coordinator/results/schema'
import { expect, test } from 'vitest'
import { resultDocument } from '../../harness/coordinator/results.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

test('a place with only a title has every required field and no others', () => {
  const result = presentResult(resultDocument(OWNER, { title: 'Bare' }))
  expect(result).toEqual({
    id: expect.any(Number),
    ...OWNER,
    title: 'Bare',
    category: '',
    address: '',
    website: '',
    phone: '',
    emails: '',
    web_presence: 'none',
    rating: 0,
    open_hours: {},
    images: [],
    user_reviews: [],
    created_at: '2026-01-02T03:04:05.678Z',
  })
  expect(Result.parse(result)).toEqual(result)
})

test('emails are one string, and unknown counts and empty fields are absent', () => {
  const place = {
    emails: ['a@b.example', 'c@d.example'],
    categories: [],
    menu: undefined,
    popular_times: {},
    timezone: '',
  }
  const result = presentResult(resultDocument(OWNER, Object.fromEntries(Object.entries(place))))
  expect(result.emails).toBe('a@b.example, c@d.example')
  for (const name of ['review_count', 'categories', 'menu', 'popular_times', 'timezone'])
    expect(result).not.toHaveProperty(name)
  expect(presentResult(resultDocument(OWNER, { review_count: 0 })).review_count).toBe(0)
})

test('a review has its text and images always, and the rest only when there is something in it', () => {
  const shown = { id: 'r1', rating: 5 }
  const paged = { id: 'r2', text: 'Kind.', images: ['https://i.example/1'] }
  const result = presentResult(resultDocument(OWNER, { user_reviews: [shown], user_reviews_extended: [paged] }))
  expect(result.user_reviews).toEqual([{ ...shown, text: '', images: [] }])
  expect(result.user_reviews_extended).toEqual([paged])
  expect(Result.parse(result)).toEqual(result)
})

test('the table exports have a column for every field there is', () => {
  expect([...COLUMNS].sort()).toEqual(Object.keys(Result.shape).sort())
})
