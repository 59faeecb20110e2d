import { loadedOnce } from '@placefleet/coordinator/cache'
import { expect, test } from 'vitest'

test('what is loaded is kept, but a failure is not', async () => {
  const answers = [() => Promise.reject(new Error('EMFILE')), () => Promise.resolve('loaded')]
  const load = loadedOnce(async () => (answers.shift() ?? (() => Promise.resolve('loaded twice')))())

  await expect(load()).rejects.toThrow('EMFILE')
  expect(await Promise.all([load(), load()])).toEqual(['loaded', 'loaded'])
  expect(await load()).toBe('loaded')
})
