import { publicUrlOf } from '@placefleet/coordinator/http/addresses'
import { expect, test } from 'vitest'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://127.0.0.1:8080'],
  ['fd00::7', 'http://[fd00::7]:8080'],
  ['localhost', 'http://localhost:8080'],
])('without PUBLIC_URL, people open a coordinator on %s at %s', (HOST, url) => {
  expect(publicUrlOf({ PUBLIC_URL: undefined, HOST, PORT: 8080 })).toBe(url)
})

test('PUBLIC_URL is what people open', () => {
  const PUBLIC_URL = 'https://fleet.example'
  expect(publicUrlOf({ PUBLIC_URL, HOST: '0.0.0.0', PORT: 8080 })).toBe(PUBLIC_URL)
})
