import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { etaOf } from '@placefleet/coordinator/jobs/present'
import { noOutcomes } from '@placefleet/shared/outcome'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

const START = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(START.getTime() + seconds * 1_000)
const NOW = after(100)

/** A job that stored 20 of 60 listed places in 100 seconds. */
const running = (changes: Partial<JobDocument> = {}): JobDocument =>
  sampleJob('user', {
    status: 'running',
    started_at: START,
    deadline_at: after(1_800),
    totals: { places: 20, reviews: 0, images: 0 },
    progress: { discovered: 60, tasks_total: 7, tasks_done: 2, searches_ended: true },
    data: { ...sampleJob('user').data, max_results: 100 },
    ...changes,
  })

test('a job ends when it has done its other places at its speed so far', () => {
  expect(etaOf(running(), NOW)).toEqual(after(300)) // 40 more places, 5 s each
})

test('it ends earlier when `max_results` is reached first, for which only stored places count', () => {
  const data = { ...running().data, max_results: 30 }
  expect(etaOf(running({ data }), NOW)).toEqual(after(150)) // 10 more places
  const outcomes = { ...noOutcomes(), filtered: 20 }
  expect(etaOf(running({ data, outcomes }), NOW)).toEqual(after(150)) // 10 stored of 20 done, 2.5 s each
})

test('it ends at its deadline at the latest', () => {
  expect(etaOf(running({ deadline_at: after(200) }), NOW)).toEqual(after(200))
})

test('in fast mode it ends when three quarters of what its keywords may list are stored', () => {
  const data = { ...running().data, fast_mode: true, keywords: ['one'], depth: 4, max_results: 500 }
  const progress = { ...running().progress, searches_ended: false, discovered: 0 }
  expect(etaOf(running({ data, progress }), NOW)).toEqual(after(300)) // 40 more of 60 places, 5 s each
  expect(etaOf(running({ data: { ...data, radius: 500 }, progress }), NOW)).toBeUndefined()
})

const progress = running().progress
test.each<[string, Partial<JobDocument>]>([
  ['it has not begun', { status: 'pending', phase: 'pending' }],
  ['it has ended', { status: 'completed', phase: 'ended' }],
  ['it waits', { progress: { ...progress, waiting_reason: 'no_agent' } }],
  ['its searches still list places', { progress: { ...progress, searches_ended: false } }],
  ['it has done too few places', { totals: { places: 4, reviews: 0, images: 0 } }],
  ['no place is left', { progress: { ...progress, discovered: 20 } }],
])('the end is unknown while %s', (_, changes) => expect(etaOf(running(changes), NOW)).toBeUndefined())
