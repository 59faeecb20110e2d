import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { certifiedJob, endedJob, presentJob } from '@placefleet/coordinator/jobs/present'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

const sample = sampleJob('user')

/** A completed job with these fields of its request, and so many places of at most ten. */
const ended = (data: Partial<JobDocument['data']>, places = 10, more: Partial<JobDocument> = {}) =>
  sampleJob('user', {
    status: 'completed',
    data: { ...sample.data, max_results: 10, ...data },
    totals: { places, reviews: 0, images: 0 },
    ...more,
  })

test('why a job is partial is shown of a job that exhausts its area only', () => {
  const partial = { partial: true, partial_reason: 'max_results' } as const
  expect(presentJob(ended({ exhaust: true }, 10, partial))).toMatchObject(partial)
  expect(presentJob(ended({}, 10, partial))).toMatchObject({ partial: true, partial_reason: undefined })
})

test('the reasons of an end are shown once the job has ended', () => {
  const reasons = { failure_reason: 'f', cancel_reason: 'timeout', partial: true } as const
  expect(presentJob(ended({}, 0, reasons))).toMatchObject(reasons)
  for (const status of ['pending', 'running', 'aborting'] as const) {
    const shown = presentJob(ended({}, 0, { ...reasons, status }))
    for (const name of Object.keys(reasons)) expect(shown).not.toHaveProperty(name)
  }
})

test('a job that exhausts its area says so when it is completed and not partial', () => {
  const exhausted = (data: Partial<JobDocument['data']>, more: Partial<JobDocument> = {}) =>
    presentJob(ended(data, 7, more)).coverage
  expect(exhausted({})).toBeUndefined()
  expect(exhausted({ exhaust: true })).toEqual({ exhausted: true, found: 7 })
  expect(exhausted({ exhaust: true }, { partial: true })).toEqual({ exhausted: false, found: 7 })
  expect(exhausted({ exhaust: true }, { status: 'running' })).toEqual({ exhausted: false, found: 7 })
})

test('a job lists at least as many places as it stores', () => {
  const shown = (discovered: number) =>
    presentJob(ended({}, 7, { progress: { ...sample.progress, discovered } })).progress.discovered
  expect([shown(6), shown(7), shown(8)]).toEqual([7, 7, 8])
})

test('the visits to websites are shown of a job that looks for email addresses', () => {
  expect(presentJob(ended({ include_emails: true })).website_visits).toMatchObject({ ok: 0 })
  expect(presentJob(ended({})).website_visits).toBeUndefined()
})

test.each<{ what: string; data: Partial<JobDocument['data']>; places: number; isCut: boolean }>([
  { what: 'with a filter, at its cap', data: { website_filter: 'no_website' }, places: 10, isCut: true },
  { what: 'with a filter, one below its cap', data: { website_filter: 'no_website' }, places: 9, isCut: false },
  { what: 'in fast mode, at its cap', data: { fast_mode: true }, places: 10, isCut: true },
  { what: 'in fast mode, one below its cap', data: { fast_mode: true }, places: 9, isCut: false },
  { what: 'that judges all places that it lists, at its cap', data: {}, places: 10, isCut: false },
])('the total of a job $what: cut off by the cap, $isCut', ({ data, places, isCut }) => {
  expect(certifiedJob(ended(data, places))).toMatchObject({ isCut, found: places })
})

test('a webhook tells of an ended job only', () => {
  const ended_at = new Date()
  for (const status of ['completed', 'failed', 'cancelled'] as const) {
    expect(endedJob(ended({}, 3, { status, ended_at }))).toMatchObject({ status, ended_at, result_count: 3 })
  }
  for (const status of ['pending', 'running', 'aborting'] as const) {
    expect(() => endedJob(ended({}, 3, { status, ended_at }))).toThrow('has not ended')
  }
  expect(() => endedJob(ended({}, 3))).toThrow('has not ended')
})
