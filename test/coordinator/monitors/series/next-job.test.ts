import { endAfter, type SeriesFacts } from '@placefleet/coordinator/monitors/series/next-job'
import { expect, test } from 'vitest'

type Changes = Omit<Partial<SeriesFacts>, 'job'> & { job?: Partial<SeriesFacts['job']> }

/** A series after a job that went well, with work left. */
const after = ({ job, ...facts }: Changes = {}): SeriesFacts => ({
  job: { status: 'completed', number: 3, ...job },
  ...{ waiting: 10, open: 1, blocked: 0, progressed: true },
  ...{ left: 1_000_000, least: 10_000, limited: false, ...facts },
})

test('another job follows while places or cells are left and the credits allow it', () => {
  expect(endAfter(after())).toBeUndefined()
  expect(endAfter(after({ waiting: 0 }))).toBeUndefined()
  expect(endAfter(after({ open: 0, left: Infinity }))).toBeUndefined()
  expect(endAfter(after({ job: { spent: true } }))).toBeUndefined()
  expect(endAfter(after({ job: { status: 'cancelled', cancel_reason: 'timeout' } }))).toBeUndefined()
})

const NOTHING_LEFT = { waiting: 0, open: 0 }

test.each<[string, Changes, string]>([
  ['nothing is left', NOTHING_LEFT, 'exhausted'],
  [
    'nothing is left, and its last job used up its credits',
    { ...NOTHING_LEFT, job: { spent: true }, limited: true },
    'exhausted',
  ],
  ['nothing is left but cells that the site does not answer for', { ...NOTHING_LEFT, blocked: 2 }, 'blocked'],
  ['its credits do not pay for a place', { left: 9_999 }, 'max_cost'],
  ['a job used up the credits of the series', { job: { spent: true }, limited: true }, 'max_cost'],
  ['a job failed', { job: { status: 'failed', failure_reason: 'blocked: x' } }, 'failed'],
  ['a job brought nothing', { progressed: false }, 'failed'],
  ['it had 200 jobs', { job: { number: 200 } }, 'failed'],
  ['its user cancelled a job', { job: { status: 'cancelled', cancel_reason: 'user' } }, 'cancelled'],
])('a series ends when %s', (_name, changes, ended) => {
  expect(endAfter(after(changes))).toMatchObject({ ended })
})
