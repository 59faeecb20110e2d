import { expect, test } from 'vitest'
import { dayAndHour, hourOf } from '../../../coordinator/console/src/parts/formats.ts'

const NOON = new Date(2026, 10, 28, 12).toISOString() // a Saturday, in the zone of the viewer

test('a step of a chart is named by its hour, and within a week by its day too', () => {
  expect(hourOf(NOON, 'de')).toBe('12 Uhr')
  expect(dayAndHour(NOON, 'de')).toMatch(/^Sa,? 12 Uhr$/)
})
