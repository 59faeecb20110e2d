import { expect, test } from 'vitest'
import {
  changesJob,
  changesOf,
  emptyDraft,
  monitorDraftOf,
  monitorRequestOf,
} from '../../../coordinator/console/src/monitors/draft.ts'
import { monitor } from './harness/samples.ts'

const MONITOR = monitor({
  name: 'Bakeries each week',
  job: { ...monitor().job, name: 'Bakeries', keywords: ['bakery'], max_time: 1_830, zoom: 14, radius: 500 },
})

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
