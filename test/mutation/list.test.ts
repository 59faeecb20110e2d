import { expect, test } from 'vitest'
import { isApplicable, MUTATIONS } from './list.ts'

test('every mutation changes a line that its file has once', () => {
  const stale = MUTATIONS.filter((mutation) => !isApplicable(mutation))
  expect(stale.map(({ file, promise, original }) => `${file}: ${promise}: ${original}`)).toEqual([])
})
