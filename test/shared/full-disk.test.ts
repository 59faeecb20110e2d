import { fullDisk, isFull } from '@placefleet/shared/full-disk'
import { expect, test } from 'vitest'

test.each([
  ['has no room', { blocks: 25_600, bavail: 0 }, true],
  ['has too little for a journal file of 100 MB', { blocks: 25_600, bavail: 25_599 }, true],
  ['has room for one', { blocks: 25_600, bavail: 25_600 }, false],
  ['has no size', { blocks: 0, bavail: 0 }, false],
])('a disk that %s', (_, room, full) => {
  expect(isFull({ ...room, bsize: 4_096 })).toBe(full)
})

test('the disk of a directory that does not exist is not called full', async () => {
  expect(await fullDisk('/nonexistent')).toBeUndefined()
})
