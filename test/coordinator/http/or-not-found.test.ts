import { orNotFound } from '@placefleet/coordinator/http/errors'
import { expect, test } from 'vitest'

test('what does not exist is told in one sentence, with its name only if an operator gave it', () => {
  expect(orNotFound(0, 'job')).toBe(0)
  expect(() => orNotFound(undefined, 'job')).toThrow('This job does not exist.')
  expect(() => orNotFound(false, 'webhook')).toThrow('This webhook does not exist, or it is revoked.')
  expect(() => orNotFound(undefined, 'user', 'a@b.example')).toThrow('User a@b.example does not exist.')
})
