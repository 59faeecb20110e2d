import { expect, test } from 'vitest'
import {
  changesJob,
  changesOf,
  emptyDraft,
  monitorDraftOf,
  monitorRequestOf,
} from '../../../coordinator/console/src/monitors/draft.ts'
import type { Monitor } from '../../../coordinator/console/src/monitors/monitor-queries.ts'

const MONITOR: Monitor = {
  id: '7b0e5a0c-5f6d-4f43-9d0c-6a1f0c1f2a77',
  name: 'Bakeries each week',
  job: {
    name: 'Bakeries',
    keywords: ['bakery'],
    language: 'en',
    depth: 5,
    include_emails: false,
    max_images: 0,
    max_reviews: 0,
    reviews_sort: 'newest',
    reviewer_names: true,
    max_results: 50,
    max_time: 1_830,
    website_filter: 'all',
    fast_mode: false,
    lat: '52.5',
    lon: '13.4',
    zoom: 14,
    radius: 500,
    proxy_count: 0,
  },
  schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' },
  jitter_seconds: 0,
  watch_ratings: false,
  knows_area: true,
  paused: false,
  next_runs: [],
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}

test('a monitor without a job takes the name of what it searches for', () => {
  const draft = emptyDraft('en')
  const request = monitorRequestOf({ ...draft, job: { ...draft.job, keywords: ['dentist'], town: 'Limassol' } })
  expect(request).toMatchObject({ name: 'dentist in Limassol', job: { keywords: ['dentist'], language: 'en' } })
  expect(monitorRequestOf({ ...draft, name: 'Mine' }).name).toBe('Mine')
})

test('settings that were not touched are not sent', () => {
  const draft = monitorDraftOf(MONITOR)
  expect(changesJob(MONITOR, draft)).toBe(false)
  expect(changesOf(MONITOR, draft)).toEqual({})
  expect(changesOf(MONITOR, { ...draft, watch_ratings: true })).toEqual({ watch_ratings: true })
})

test('other keywords change the job as a whole, and leave the rest of it', () => {
  const draft = monitorDraftOf(MONITOR)
  const edited = { ...draft, job: { ...draft.job, keywords: ['bakery', 'cafe'] } }
  expect(changesJob(MONITOR, edited)).toBe(true)
  const { job, ...others } = changesOf(MONITOR, edited)
  expect(others).toEqual({})
  expect(job).toMatchObject({ name: 'Bakeries', keywords: ['bakery', 'cafe'], zoom: 14, max_time: 1_830, radius: 500 })
})

test('other minutes are sent, and an area that is gone is not', () => {
  const draft = monitorDraftOf(MONITOR)
  const { job } = changesOf(MONITOR, { ...draft, job: { ...draft.job, max_minutes: 10, lat: '', lon: '', radius: 0 } })
  expect(job).toMatchObject({ max_time: 600 })
  expect(job).not.toHaveProperty('lat')
})
