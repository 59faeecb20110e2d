import { expect, test } from 'vitest'
import { databaseUrl } from './database-url.ts'

test.each([
  ['mongodb://127.0.0.1:1', 'mongodb://127.0.0.1:1/mine'],
  ['mongodb://127.0.0.1:1/', 'mongodb://127.0.0.1:1/mine'],
  ['mongodb://127.0.0.1:1/?w=1', 'mongodb://127.0.0.1:1/mine?w=1'],
  ['mongodb://ann:pw@a:1,b:2/production?replicaSet=rs', 'mongodb://ann:pw@a:1,b:2/mine?replicaSet=rs'],
  ['mongodb+srv://cluster.example/production', 'mongodb+srv://cluster.example/mine'],
])('tests on %s never open the database that it names', (url, expected) => {
  expect(databaseUrl(url, 'mine')).toBe(expected)
})

test('a URL of another form is refused', () => {
  expect(() => databaseUrl('127.0.0.1:27017', 'mine')).toThrow('mongodb://HOST')
})
