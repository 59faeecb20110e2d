import { afterPage, FIRST_PAGE, type PageSeen, type Paging, type PagingEnd } from '@placefleet/agent/maps/search/paging'
import { pageOf } from '@placefleet/deploy/simulation/map-site/modes/paging'
import { fullOptions, type SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import fc from 'fast-check'
import { expect, test } from 'vitest'

type Run = { found: number[]; asked: number[]; end: PagingEnd }

/** Pages through a list of places on a site with these options. `spoil` empties single answers. */
function through(total: number, options: Partial<SiteOptions> = {}, spoil = (_nth: number) => false): Run {
  const places = Array.from({ length: total }, (_, place) => place)
  const found = new Set<number>()
  const asked: number[] = []
  for (let paging: Paging | PagingEnd = FIRST_PAGE; ; ) {
    if (typeof paging === 'string') return { found: [...found], asked, end: paging }
    const { offset }: Paging = paging
    asked.push(offset)
    const rules = fullOptions(options)
    const page = pageOf(places, { offset, size: 20, hasViewport: true }, rules, 7).filter(() => !spoil(asked.length))
    const fresh = page.filter((place) => !found.has(place)).length
    for (const place of page) found.add(place)
    const seen: PageSeen = { listed: page.length, fresh, inside: page.length }
    paging = afterPage(paging, seen)
  }
}

test('a list ends when a page shows known places only, or after three empty ones', () => {
  expect(through(47)).toEqual({ found: expect.arrayContaining([46]), asked: [0, 20, 40, 60, 43], end: 'listed' })
  expect(through(40).asked).toEqual([0, 20, 40, 30])
  expect(through(0).asked).toEqual([0])
})

test('a short page in the middle does not end the search', () => {
  expect(through(47, { shortPages: 1 }).found).toHaveLength(47)
})

test('a last page that appears only at an offset where it is full is found', () => {
  expect(through(219, { lastPage: 'full' }).found).toHaveLength(219)
  expect(through(205, { lastPage: 'full' }).found).toHaveLength(205)
})

test('a first page that repeats after the end adds no places', () => {
  const { found, asked } = through(47, { afterEnd: 'first-page' })
  expect(found).toHaveLength(47)
  expect(asked.length).toBeLessThan(8)
})

test('for any length and habits of the site, every place is found and the list ends', () => {
  const habits = fc.record({
    shortPages: fc.constantFrom(0, 0.3, 1),
    afterEnd: fc.constantFrom('empty' as const, 'first-page' as const),
  })
  fc.assert(
    fc.property(fc.nat(400), habits, (total, options) => {
      const { found, asked } = through(total, options)
      expect(found).toHaveLength(total)
      expect(asked.length).toBeLessThan(10 + total)
    }),
  )
  fc.assert(
    fc.property(fc.nat(400), (total) => {
      expect(through(total, { lastPage: 'full' }).found).toHaveLength(total)
    }),
  )
})

test('one empty answer in the middle loses no places', () => {
  fc.assert(
    fc.property(fc.integer({ min: 45, max: 400 }), fc.integer({ min: 2, max: 3 }), (total, empty) => {
      expect(through(total, {}, (nth) => nth === empty).found).toHaveLength(total)
    }),
  )
})

test('two empty answers in a row in the middle lose no places', () => {
  fc.assert(
    fc.property(fc.integer({ min: 61, max: 400 }), fc.integer({ min: 2, max: 3 }), (total, empty) => {
      expect(through(total, {}, (nth) => nth === empty || nth === empty + 1).found).toHaveLength(total)
    }),
  )
})

test('a list leaves its cell after two pages without a place of it', () => {
  const page = (inside: number): PageSeen => ({ listed: 20, fresh: 20, inside })
  const next = (paging: Paging | PagingEnd, inside: number) =>
    typeof paging === 'string' ? paging : afterPage(paging, page(inside))
  expect([0, 3, 0, 0].reduce(next, FIRST_PAGE)).toBe('left')
  expect([20, 0, 1, 0].reduce(next, FIRST_PAGE)).toMatchObject({ offset: 80 })
})
