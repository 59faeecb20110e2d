import { JOB_WINDOW, plannedTasks, releasable, taskSizeFor, userWindow } from '@placefleet/coordinator/tasks/plan'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const SLOTS = 12
const idle = {
  unclaimed: { job: 0, user: 0 },
  slots: SLOTS,
  size: 10,
  paid: true,
  collecting: 0,
  wanted: 500,
  filtered: false,
}

test.each([
  [0, true, 0],
  [9, true, 0],
  [10, true, 1],
  [19, true, 1],
  [0, false, 0],
  [1, false, 1],
  [10, false, 1],
  [11, false, 2],
])('%i listed places, still searching: %s → %i collect tasks of ten', (references, searching, tasks) => {
  expect(plannedTasks(references, 10, searching)).toBe(tasks)
  expect(plannedTasks(2 * references, 20, searching)).toBe(tasks)
})

test.each([
  [159, 4, 10],
  [160, 4, 20],
  [500, 12, 20],
  [500, 13, 10],
  [159, 0, 10],
  [160, 0, 20],
])('a job of %i places on %i slots has tasks of %i', (places, slots, size) => {
  expect(taskSizeFor(places, slots)).toBe(size)
})

test.each([
  ['fills the window of an idle job', idle, JOB_WINDOW],
  ['leaves out what is unclaimed of the job', { ...idle, unclaimed: { job: 3, user: 3 } }, JOB_WINDOW - 3],
  [
    'leaves out what is unclaimed of the user',
    { ...idle, unclaimed: { job: 0, user: userWindow(SLOTS, true) - 1 } },
    1,
  ],
  ['releases nothing into a full window', { ...idle, unclaimed: { job: JOB_WINDOW, user: JOB_WINDOW } }, 0],
  ['stays near what a small cap needs', { ...idle, wanted: 10 }, 2],
  ['counts the places of large tasks', { ...idle, wanted: 40, size: 20 }, 3],
  ['releases nothing more when enough is under way', { ...idle, wanted: 10, collecting: 2 }, 0],
  ['always lets one go', { ...idle, wanted: 0 }, 1],
  ['cannot tell what a filter needs, and fills the window', { ...idle, wanted: 1, filtered: true }, JOB_WINDOW],
])('planning collect tasks %s: $2', (_, demand, tasks) => {
  expect(releasable('collect', demand)).toBe(tasks)
})

test('a search is released whenever there is room, independent of the cap', () => {
  expect(releasable('discover', { ...idle, wanted: 1, collecting: 5 })).toBe(JOB_WINDOW)
})

test.each([
  [0, 4, 2],
  [1, 4, 2],
  [5, 10, 5],
  [8, 16, 8],
  [4_000, 16, 8],
])(
  'with %i slots in the fleet, %i tasks of a paying user wait in the queue, and %i of another user',
  (slots, paid, free) => {
    expect([userWindow(slots, true), userWindow(slots, false)]).toEqual([paid, free])
  },
)

test('no release ever overfills a window', () => {
  const demand = fc.record({
    unclaimed: fc.record({ job: fc.nat({ max: 30 }), user: fc.nat({ max: 30 }) }),
    slots: fc.nat({ max: 100 }),
    size: fc.constantFrom(10, 20),
    paid: fc.boolean(),
    collecting: fc.nat({ max: 100 }),
    wanted: fc.nat({ max: 500 }),
    filtered: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.constantFrom('discover' as const, 'collect' as const), demand, (kind, given) => {
      const count = releasable(kind, given)
      expect(count).toBeGreaterThanOrEqual(0)
      if (count > 0) {
        expect(given.unclaimed.job + count).toBeLessThanOrEqual(JOB_WINDOW)
        expect(given.unclaimed.user + count).toBeLessThanOrEqual(userWindow(given.slots, given.paid))
      }
    }),
  )
})
