import { validationFailure } from '@placefleet/coordinator/http/validation-and-serialization'
import { expect, test } from 'vitest'
import { z } from 'zod'

type Issue = z.core.$ZodIssue

test('of thousands of faults only the first twenty are looked at, so that a body cannot hold up the service', () => {
  const described = new Set<number>()
  const issues = Array.from({ length: 5_000 }, (_, i): Issue => {
    const get = () => {
      described.add(i)
      return ['list', i]
    }
    return Object.defineProperty({ code: 'custom', path: [], message: 'is wrong' }, 'path', { get })
  })
  const { details } = validationFailure(issues, z.object({}), 'body')
  expect(details?.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, i) => `list.${i}`))
  expect(described.size).toBe(20)
})

test('of two faults of one field the first is told, and further fields still follow', () => {
  const issues: Issue[] = [
    ...Array.from({ length: 5_000 }, (): Issue => ({ code: 'custom', path: ['one'], message: 'is wrong' })),
    { code: 'custom', path: ['other'], message: 'is wrong, too' },
  ]
  expect(validationFailure(issues, z.object({}), 'body').details).toEqual([
    { path: 'one', message: 'is wrong' },
    { path: 'other', message: 'is wrong, too' },
  ])
})
