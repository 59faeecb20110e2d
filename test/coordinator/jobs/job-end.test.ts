import { decidedEnd, type EndInputs, endGivenPlaces, jobEnd, withoutAgent } from '@placefleet/coordinator/jobs/job-end'
import { CreateJobRequest, type PartialReason } from '@placefleet/shared/job'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

const {
  name: _name,
  proxies: _proxies,
  ...data
} = CreateJobRequest.parse({
  name: 'a job',
  keywords: ['one'],
  language: 'en',
  max_results: 20,
})
const job = { phase: 'running', task_size: 10, totals: { places: 0, reviews: 0, images: 0 }, data } as const
const places = (count: number) => ({ ...job, totals: { places: count, reviews: 0, images: 0 } })

const over: EndInputs = {
  tasks: { total: 3, ended: 3, failed: 0, running: 0, searching: 0, planned: 2 },
  references: 20,
  failures: [],
}
const withTasks = (tasks: Partial<EndInputs['tasks']>): EndInputs => ({
  ...over,
  tasks: { ...over.tasks, ...tasks },
})
const withArea = (more: boolean, isBlocked = false): EndInputs => ({ ...over, area: { more, blocked: isBlocked } })
const partly = (partial_reason: PartialReason) => ({ status: 'completed', partial: true, partial_reason }) as const
const blocked = { code: 'blocked', message: 'the site refused' } as const
const crashed = { code: 'agent_crashed', message: 'the agent is gone' } as const

test.each([
  ['all tasks over', places(15), over, { status: 'completed' }],
  ['nothing found', places(0), over, { status: 'completed' }],
  ['the cap reached and tasks still open', places(20), withTasks({ ended: 1, running: 2 }), { status: 'completed' }],
  ['one place below the cap, and tasks over', places(19), over, { status: 'completed' }],
  ['some tasks failed and one place', places(1), withTasks({ failed: 1 }), partly('blocked')],
  ['all cells searched', places(15), withArea(false), { status: 'completed' }],
  ['all cells searched and the cap reached', places(20), withArea(false), { status: 'completed' }],
  ['cells to search and the cap reached', places(20), withArea(true), partly('max_results')],
  ['all cells searched but some blocked', places(5), withArea(false, true), partly('blocked')],
  [
    'no place and some cells blocked',
    places(0),
    withArea(false, true),
    { status: 'failed', failure_reason: 'blocked: the map site answered for no part of the area' },
  ],
] as const)('with %s a job ends as $3', (_, judged, progress, end) => {
  expect(jobEnd(judged, progress)).toEqual(end)
})

test.each([
  ['has open tasks', places(5), withTasks({ ended: 2 })],
  ['has open tasks, one place below its cap', places(19), withTasks({ ended: 2 })],
  ['has references that no task is planned for yet', places(5), { ...over, references: 21 }],
  ['has cells to search', places(5), withArea(true)],
  ['has no task yet', places(0), withTasks({ total: 0, ended: 0 })],
  ['is aborting', { ...job, phase: 'aborting' }, over],
  ['is pending', { ...job, phase: 'pending' }, over],
  ['ended before', { ...job, phase: 'ended' }, over],
] as const)('a job that %s does not end now', (_, judged, progress) => {
  expect(jobEnd(judged, progress)).toBeUndefined()
})

test('a job that turns out to have stored a place does not fail', () => {
  const failed = { status: 'failed', failure_reason: 'blocked: the site refused' } as const
  expect(endGivenPlaces(failed, 1)).toEqual(partly('blocked'))
  expect(endGivenPlaces(failed, 0)).toEqual(failed)
  const cancelled = { status: 'cancelled', cancel_reason: 'user' } as const
  expect(endGivenPlaces(cancelled, 3)).toEqual(cancelled)
})

test('a job without places fails with the most frequent reason of its tasks, as the latest of them says it', () => {
  const progress = {
    ...withTasks({ failed: 3 }),
    failures: [{ ...blocked, message: 'the site did not answer' }, blocked, crashed],
  }
  expect(jobEnd(places(0), progress)).toEqual({ status: 'failed', failure_reason: 'blocked: the site refused' })
})

test.each([
  [{ end: 'completed' }, { status: 'completed' }],
  [
    { end: 'completed', partial: true },
    { status: 'completed', partial: true },
  ],
  [{ end: 'completed', partial: true, partial_reason: 'max_cost' }, partly('max_cost')],
  [
    { end: 'failed', failure_reason: 'blocked: x' },
    { status: 'failed', failure_reason: 'blocked: x' },
  ],
  [{ end: 'failed' }, { status: 'failed', failure_reason: 'source_unavailable: the tasks of this job failed' }],
  [
    { end: 'cancelled', cancel_reason: 'timeout' },
    { status: 'cancelled', cancel_reason: 'timeout' },
  ],
] as const)('a job that stored $0 ends as $1', (stored, end) => {
  expect(decidedEnd(sampleJob('user', { status: 'running', ...stored }))).toEqual(end)
})

test('the end of a job that is not decided is a fault', () => {
  expect(() => decidedEnd(sampleJob('user', { status: 'running' }))).toThrow('is not decided')
  expect(() => decidedEnd(sampleJob('user', { status: 'running', end: 'cancelled' }))).toThrow('is not decided')
})

test('a job without agents says after how many hours', () => {
  expect(withoutAgent(1)).toMatchObject({ failure_reason: expect.stringContaining('for 1 hour no') })
  expect(withoutAgent(2)).toMatchObject({ failure_reason: expect.stringContaining('for 2 hours no') })
})
