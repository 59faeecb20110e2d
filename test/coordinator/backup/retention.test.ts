import { backupName, expiredBackups } from '@placefleet/coordinator/backup/retention'
import { expect, test } from 'vitest'

const NOW = new Date('2026-11-22T02:00:07.900Z')

test('a backup is named by its time', () => {
  expect(backupName(NOW)).toBe('2026-11-22T02-00-07Z')
})

test('a backup expires when it is older than the days to keep', () => {
  const names = ['2026-11-22T02-00-07Z', '2026-11-08T02-00-08Z', '2026-11-08T02-00-07Z', '2025-01-31T23-59-59Z']
  expect(expiredBackups(names, NOW, 14)).toEqual(['2026-11-08T02-00-07Z', '2025-01-31T23-59-59Z'])
})

test('a directory with any other name never expires', () => {
  const names = [
    '2020-01-01',
    '2020-01',
    'monthly-2020-01-01T02-00-00Z',
    '2020-01-01T02-00-00Z.kept',
    '2020-13-01T02-00-00Z',
  ]
  expect(expiredBackups(names, NOW, 1)).toEqual([])
})
