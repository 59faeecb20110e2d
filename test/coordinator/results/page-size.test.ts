import { AppError } from '@placefleet/coordinator/http/errors'
import { createPageSize } from '@placefleet/coordinator/results/readable'
import { expect, test } from 'vitest'

const MIB = 1024 * 1024

test('a page of places has 64 MiB at most, and the refusal says what to do', () => {
  const count = createPageSize()
  for (const _ of Array.from({ length: 64 })) count(MIB)

  expect(() => count(0)).not.toThrow()
  expect(() => count(1)).toThrow(AppError)
  expect(() => count(1)).toThrow('larger than 64 MiB. Choose a smaller limit')
})
