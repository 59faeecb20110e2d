import { describe, expect, test } from 'vitest'
import { furtherPages, joined } from '../../../coordinator/console/src/job/place-pages.ts'
import { scheduleDraftOf, scheduleOf } from '../../../coordinator/console/src/monitors/schedule.ts'
import {
  type Corner,
  copiedSettings,
  cornersOf,
  isCrossed,
  jobDraftOf,
  jobRequestOf,
  nameOf,
  newJobDraft,
  shapeOf,
  WITHOUT_AREA,
} from '../../../coordinator/console/src/new-job/draft.ts'
import { relativeTime, span, weekdayName } from '../../../coordinator/console/src/parts/formats.ts'
import { choiceIn, pageIn } from '../../../coordinator/console/src/parts/search-params.ts'
import { plural } from '../../../coordinator/console/src/texts/language.ts'
import { points, polygon } from '../../shared/area/shapes.ts'
import { job } from './harness/samples.ts'

/** A page of places; only its ids matter. */
const page = (ids: number[]) => ({ results: ids.map((id) => ({ id })) })

describe('the places of a job', () => {
  test('are joined up to the first page that is missing, so that no place is put before another later', () => {
    const pages = [page([1, 2]), undefined, page([5])].map((data) => ({ data, error: null }))
    expect(joined(pages).places.map(({ id }) => id)).toEqual([1, 2])
  })

  test('keep the error of any page', () => {
    const error = new Error('refused')
    const pages = [page([1]), undefined].map((data) => ({ data, error: data ? null : error }))
    expect(joined(pages).error).toBe(error)
  })

  test('of the first page need no further one', () => {
    expect(furtherPages(100, () => undefined)).toEqual([])
  })

  test('are read four pages at a time', () => {
    const pages = furtherPages(2_000, (number) => (number <= 3 ? page([number]) : undefined))
    expect(pages).toHaveLength(19)
    expect(pages.filter(({ enabled }) => enabled).map((one) => one.page)).toEqual([2, 3, 4, 5, 6, 7])
  })
})

describe('a schedule', () => {
  const draft = { ...scheduleDraftOf({ cron: '30 6 * * 1', timezone: 'Europe/Berlin' }) }

  test('of one time a week is shown as such, and sent as it was; without a time it is not midnight, but refused', () => {
    expect(draft).toMatchObject({ often: 'week', time: '06:30', weekday: 1 })
    expect(scheduleOf(draft)).toEqual({ cron: '30 6 * * 1', timezone: 'Europe/Berlin' })
    expect(scheduleOf({ ...draft, time: '' })).toEqual({ cron: '* * 1', timezone: 'Europe/Berlin' })
  })

  test('in hours keeps its minutes', () => {
    expect(scheduleOf(scheduleDraftOf({ every: '90m' }))).toEqual({ every: '90m' })
    expect(scheduleOf(scheduleDraftOf({ every: '2d' }))).toEqual({ every: '48h' })
  })

  test('that no field can show is a cron expression', () => {
    const monthly = { cron: '0 6 1 * *', timezone: 'UTC' }
    expect(scheduleDraftOf(monthly).often).toBe('cron')
    expect(scheduleOf(scheduleDraftOf(monthly))).toEqual(monthly)
  })
})

describe('a copied job', () => {
  const data = { ...job().data, country: 'de', zoom: 12, max_time: 61 }
  const copied = { name: 'Bakeries', data }

  test('keeps its time to the second', () => {
    expect(jobRequestOf(jobDraftOf(copied)).max_time).toBe(61)
  })

  test('names the settings that the form has no field for', () => {
    expect(copiedSettings(jobDraftOf(copied))).toEqual([
      ['country', 'de'],
      ['zoom', '12'],
    ])
  })

  test('sends these settings, until they are removed', () => {
    const draft = jobDraftOf(copied)
    expect(jobRequestOf(draft)).toMatchObject({ country: 'de', zoom: 12 })
    const without = jobRequestOf({ ...draft, country: undefined, zoom: undefined })
    expect('country' in without || 'zoom' in without).toBe(false)
  })

  test('keeps its shape or its box, until another area replaces it', () => {
    const area = polygon(points('13 52, 14 52, 13 53'))
    const bbox = [13, 52, 14, 53]
    const everywhere = { ...data, lat: '', lon: '', zoom: 0 }
    for (const shape of [{ area }, { bbox }]) {
      const draft = jobDraftOf({ name: 'Bakeries', data: { ...everywhere, ...shape } })
      expect(jobRequestOf(draft)).toMatchObject(shape)
      const circle = jobRequestOf({ ...draft, ...WITHOUT_AREA, lat: '34.68', lon: '33.04', radius: 500 })
      expect(circle).toMatchObject({ lat: '34.68', lon: '33.04', radius: 500 })
      expect('area' in circle || 'bbox' in circle).toBe(false)
    }
    expect(copiedSettings(jobDraftOf({ name: 'Bakeries', data: { ...everywhere, bbox } }))).toContainEqual([
      'bbox',
      '13,52,14,53',
    ])
  })

  test('keeps its places, whose number is its cap; beside keywords they are on top of the cap', () => {
    const places = ['1', '2']
    const draft = jobDraftOf({ name: 'a', data: { ...data, keywords: [], places, max_results: 2 } })
    expect(jobRequestOf(draft)).toMatchObject({ name: 'a', places })
    expect('keywords' in jobRequestOf(draft) || 'max_results' in jobRequestOf(draft)).toBe(false)
    expect(jobRequestOf({ ...draft, keywords: ['bakery'] })).toMatchObject({ places, max_results: 52 })
    expect(jobRequestOf({ ...draft, places: '' })).toMatchObject({ keywords: [], max_results: 50 })
    const many = Array.from({ length: 951 }, (_, n) => n).join('\n')
    expect('max_results' in jobRequestOf({ ...draft, keywords: ['bakery'], places: many })).toBe(false)
  })

  test('without a name has the first of its places as one', () => {
    const draft = { ...newJobDraft('en'), places: `\n${'x'.repeat(61)}\n\n2\n3\n` }
    expect(nameOf(draft)).toBe(`${'x'.repeat(60)} +2`)
    expect(nameOf({ ...draft, places: ' 7 ' })).toBe('7')
    expect(nameOf({ ...draft, keywords: ['bakery'] })).toBe('bakery')
  })

  test('names no setting that has a field', () => {
    expect(copiedSettings({ ...newJobDraft('en'), coverage: 'audited', recheck_after: 30 })).toEqual([])
  })
})

describe('a shape on the map', () => {
  const corners: Corner[] = points('13 52, 14 52, 14 53, 13 53').map(([longitude, latitude]) => [longitude, latitude])

  test('has handles at its corners, unless it has holes, parts or too many corners', () => {
    const shape = shapeOf(corners)
    expect(cornersOf(shape)).toEqual(corners)
    const [outline = []] = shape.coordinates
    expect(cornersOf({ type: 'Polygon', coordinates: [outline, outline] })).toBeUndefined()
    const many = Array.from({ length: 61 }, (_, nth): Corner => [13 + nth / 100, 52])
    expect(cornersOf(shapeOf(many.slice(0, 60)))).toHaveLength(60)
    expect(cornersOf(shapeOf(many))).toBeUndefined()
  })

  test('that crosses itself is marked', () => {
    const [first = expect.fail('no corner'), second = first, ...others] = corners
    expect(isCrossed(shapeOf(corners))).toBe(false)
    expect(isCrossed(shapeOf([second, first, ...others]))).toBe(true)
    expect(isCrossed(undefined)).toBe(false)
  })
})

describe('the address of a page', () => {
  test('with an unknown tab shows the first one', () => {
    const tabs = ['places', 'settings'] as const
    expect(choiceIn(new URLSearchParams('tab=xyz'), 'tab', tabs)).toBe('places')
    expect(choiceIn(new URLSearchParams('tab=settings'), 'tab', tabs)).toBe('settings')
  })

  test('with a page that cannot be shows the first one', () => {
    expect(['page=0', 'page=x', 'page=1.5', ''].map((query) => pageIn(new URLSearchParams(query)))).toEqual([
      1, 1, 1, 1,
    ])
  })
})

describe('words', () => {
  const places = { one: '# place', other: '# places' }

  test('have one form for one, and another for none and many', () => {
    const counted = [0, 1, 2, 1_000].map((number) => plural('en', number, places))
    expect(counted.join()).toBe('0 places,1 place,2 places,1,000 places')
    expect(plural('de', 1_000, { one: '# Ort', other: '# Orte' })).toBe('1.000 Orte')
  })

  test('name the weekdays of their language', () => {
    expect([weekdayName(0, 'en'), weekdayName(1, 'de')]).toEqual(['Sunday', 'Montag'])
  })

  test('say how long something took', () => {
    expect([-5, 59_000, 192_000, 3_660_000].map(span)).toEqual(['0 s', '59 s', '3 min 12 s', '1 h 1 min'])
  })

  test('say how long ago something was, and nothing beyond a week', () => {
    expect([-10_000, -120_000, -7_200_000, -9 * 86_400_000].map((ms) => relativeTime(ms, 'en'))).toEqual([
      'now',
      '2 minutes ago',
      '2 hours ago',
      undefined,
    ])
  })
})
