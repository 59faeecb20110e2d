import { afterEach, expect, test, vi } from 'vitest'
import { dayAndHour, fullTime, hourOf, knownLocales } from '../../../coordinator/console/src/parts/formats.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  [['en-US@posix'], ['en-US']],
  [['C', 'POSIX', ''], ['posix']],
  [
    ['de_AT.UTF-8', 'en_GB@euro'],
    ['de-AT', 'en-GB'],
  ],
  [['en-us', '*', 'a b', '%%'], ['en-US']],
  [
    ['zh-Hans-CN', 'de-DE-u-co-phonebk'],
    ['zh-Hans-CN', 'de-DE-u-co-phonebk'],
  ],
  [[], []],
])('a browser that says $0 has the languages $1', (tags, locales) => {
  expect(knownLocales(tags)).toEqual(locales)
})

test.each([
  [['en-US@posix'], 'en'],
  [['nonsense@@'], 'en'],
  [['en-US@posix'], 'de'],
])('times are shown in a browser that says $0, in the language $1', (languages, language) => {
  vi.stubGlobal('navigator', { languages })
  expect(fullTime('2026-03-01T12:00:00Z', language)).toMatch(/2026/)
})

test('a step of a chart is named by its hour, and within a week by its day too', () => {
  const noon = new Date(2026, 10, 28, 12).toISOString() // a Saturday, in the zone of the viewer
  expect(hourOf(noon, 'de')).toBe('12 Uhr')
  expect(dayAndHour(noon, 'de')).toMatch(/^Sa,? 12 Uhr$/)
})
