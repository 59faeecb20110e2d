import { expect, test } from 'vitest'
import { nextOrder, orderIn } from '../../../coordinator/console/src/jobs/job-rules.ts'

const NEWEST = { sort: 'created_at', order: 'desc' }

test.each([
  ['name:asc', { sort: 'name', order: 'asc' }],
  ['name:desc', { sort: 'name', order: 'desc' }],
  ['status:asc', { sort: 'status', order: 'asc' }],
  ['created_at:asc', { sort: 'created_at', order: 'asc' }],
  ['name:up', { sort: 'name', order: 'asc' }],
  ['cost:asc', NEWEST],
  ['', NEWEST],
])('the URL %s orders the list of jobs', (sort, order) => {
  expect(orderIn(new URLSearchParams({ sort }))).toEqual(order)
})

test('without an order in the URL the newest job comes first', () => {
  expect(orderIn(new URLSearchParams())).toEqual(NEWEST)
})

test('a click on a head sorts up, another one down, the next one up again; another head begins with up', () => {
  const clicked = (now: string, field: string) => nextOrder(orderIn(new URLSearchParams({ sort: now })), field)
  expect(clicked('', 'name')).toBe('name:asc')
  expect(clicked('name:asc', 'name')).toBe('name:desc')
  expect(clicked('name:desc', 'name')).toBe('name:asc')
  expect(clicked('name:asc', 'created_at')).toBe('created_at:asc')
  expect(clicked('', 'created_at')).toBe('created_at:asc')
})
