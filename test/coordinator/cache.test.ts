import { createTally, loadedOnce } from '@placefleet/coordinator/cache'
import { expect, test } from 'vitest'

test('what is loaded is kept, but a failure is not', async () => {
  const answers = [() => Promise.reject(new Error('EMFILE')), () => Promise.resolve('loaded')]
  const load = loadedOnce(async () => (answers.shift() ?? (() => Promise.resolve('loaded twice')))())

  await expect(load()).rejects.toThrow('EMFILE')
  expect(await Promise.all([load(), load()])).toEqual(['loaded', 'loaded'])
  expect(await load()).toBe('loaded')
})

test('a tally counts each key for itself, and never below zero', () => {
  const tally = createTally()
  tally.add('a')
  tally.add('a')
  tally.add('b')
  tally.remove('b')
  tally.remove('b')
  expect([tally.of('a'), tally.of('b')]).toEqual([2, 0])
  tally.add('b')
  tally.remove('a')
  expect([tally.of('a'), tally.of('b')]).toEqual([1, 1])
})
