import { isForeign } from '@placefleet/agent/maps/answers/language'
import { LANGUAGES } from '@placefleet/shared/language'
import { expect, test } from 'vitest'
import { sparse } from '../sample.ts'

const worded = (...days: [name: string, number: number][]) => sparse({ 203: [days] })
const linked = (hl: string) =>
  sparse({ 4: sparse({ 3: [`https://search.google.com/local/reviews?placeid=x&hl=${hl}`] }) })

test.each([
  ['its weekdays', worded(['Dienstag', 2], ['Mittwoch', 3]), 'de', false],
  ['weekdays of another language', worded(['mardi', 2]), 'de', true],
  ['a weekday that is also a holiday', worded(['Monday\n(Labour Day)', 1]), 'en', false],
  ['weekdays two languages share', worded(['mandag', 1]), 'no', false],
  ['words nobody knows and no link', worded(['Blursday', 1]), 'en', false],
  ['a link of the language asked for', linked('en-US'), 'en', false],
  ['a link with an old code', linked('iw'), 'he', false],
  ['a link with a new code', linked('nb'), 'no', false],
  ['a link of another language', linked('cs'), 'en', true],
  ['nothing', sparse({}), 'en', false],
  [
    'weekdays rather than the link',
    sparse({ 203: [[['lundi', 1]]], 4: sparse({ 3: ['https://x.com/?hl=de'] }) }),
    'de',
    true,
  ],
] as const)('a place is told to be foreign or not by %s', (_, node, language, foreign) => {
  expect(isForeign(node, language)).toBe(foreign)
})

test('every language knows its own weekdays', () => {
  for (const language of LANGUAGES) {
    const names = [1, 2, 3, 4, 5, 6, 7].map((number): [string, number] => {
      const date = new Date(Date.UTC(2024, 0, number))
      return [date.toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' }), number]
    })
    expect(isForeign(worded(...names), language)).toBe(false)
  }
})
