import { searchOf } from '@placefleet/coordinator/known-places/compared-fields'
import { knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { changesOf, watchedPlacesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, JOB } from '../../api/api-world.ts'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask } from '../../harness/agents/task-call.ts'
import { finishedEvent, placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCredits, addUser } from '../../harness/coordinator/users.ts'
import { API_KEY, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const coordinator = await addCoordinator(world)
const { client, grpc, url } = coordinator
const known = knownPlacesOf(world.db)
const tasks = tasksOf(world.db)

beforeEach(async () => {
  expect((await client.call('DELETE', '/api/v1/known-places')).status).toBe(204)
  await known.deleteMany({}) // those of other users, too
})

/** Claims a task, finds these places and ends it. */
async function runTask(task_id: string, ...numbers: number[]): Promise<void> {
  const call = claimTask(grpc, { task_id })
  await call.next()
  call.event(1n, placesEvent(...numbers))
  await call.next()
  call.event(2n, finishedEvent)
}

/** Runs a job of one search that finds these places, and gives it when it has ended. */
async function run(numbers: number[], request: Record<string, unknown> = {}) {
  const { job_id, task_id } = await releasedTask(world, coordinator, request)
  await runTask(task_id, ...numbers)
  const job = await client.ended(job_id)
  return { job_id, job, keys: (await client.places(job_id)).map((place) => place.data_id) }
}

const upload = (csv: string) =>
  fetch(`${url}/api/v1/known-places`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'text/csv' },
    body: csv,
  })

const listed = async () => {
  const { body } = await client.call('GET', '/api/v1/known-places?limit=1000')
  return body
}

test('a place that the user names and that only_new drops is shown as filtered', async () => {
  await run([1])
  const { job_id } = await run([1], { keywords: [], places: [keyOf(1)], only_new: true, fast_mode: false })
  const { body } = await client.call('GET', `/api/v1/jobs/${job_id}/inputs`)
  expect(body).toMatchObject({ inputs: [{ input: keyOf(1), status: 'filtered' }] })
})

test('a job with only_new stores, bills and counts only new places, also after the job that made places known is deleted', async () => {
  const first = await run([1, 2])
  await client.call('DELETE', `/api/v1/jobs/${first.job_id}`)
  await until('its places are removed', async () => {
    return (
      (await world.db.collection('results').countDocuments({ job_id: first.job_id, place: { $exists: true } })) === 0
    )
  })

  const second = await run([1, 2, 3, 4, 5], { only_new: true, max_results: 2 })

  expect(second.keys).toEqual([keyOf(3), keyOf(4)])
  expect(second.job).toMatchObject({ status: 'completed', outcomes: { ok: 2, known: 2 } })
  const { body } = await client.call('GET', `/api/v1/jobs/${second.job_id}/costs`)
  expect(body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ quantity: 2 })]) })
  expect(await listed()).toMatchObject({
    known_places: [
      { place_key: keyOf(1), last_job_id: second.job_id },
      { place_key: keyOf(2), last_job_id: second.job_id },
      { place_key: keyOf(3), last_job_id: second.job_id },
      { place_key: keyOf(4) },
    ],
    has_more: false,
  })
})

test('uploaded places are known, once, until they are forgotten', async () => {
  const added = await upload(`data_id\n${keyOf(1)}\n${keyOf(2)}\n${keyOf(1)}\nnonsense\n`)
  expect(await added.json()).toEqual({ added: 2, already_known: 0, unreadable: 1 })
  expect(await (await upload(`${keyOf(2)}\n${keyOf(3)}\n`)).json()).toMatchObject({ added: 1, already_known: 1 })
  expect((await run([1, 2, 3, 4], { only_new: true })).keys).toEqual([keyOf(4)])

  await client.call('DELETE', '/api/v1/known-places')

  expect(await listed()).toEqual({ known_places: [], has_more: false })
  expect((await run([1, 2], { only_new: true })).keys).toEqual([keyOf(1), keyOf(2)])
})

test('a known place counts as new again after recheck_after days', async () => {
  await run([1, 2])
  await listed() // waits until the places are recorded
  const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000)
  await known.updateOne({ place_key: keyOf(1) }, { $set: { collected_at: longAgo } }, SCAN)

  expect((await run([1, 2], { only_new: true, recheck_after: 9 })).keys).toEqual([])
  expect((await run([1, 2], { only_new: true, recheck_after: 7 })).keys).toEqual([keyOf(1)])
  expect((await run([1, 2], { only_new: true, recheck_after: 7 })).keys).toEqual([])
})

test('a job with only_new stores at most its cap of new places, each once, when its agent and its coordinator die on the way', async () => {
  await upload([1, 3, 5, 7, 9].map(keyOf).join('\n'))
  const rival = await addCoordinator(world)
  const { job_id, task_id } = await releasedTask(world, coordinator, { only_new: true, max_results: 4 })
  const first = claimTask(rival.grpc, { task_id })
  await first.next()
  first.event(1n, placesEvent(1, 2, 3))
  first.event(2n, placesEvent(4, 5))
  await until('the second event is stored', () => world.db.collection('results').findOne({ job_id, position: 2 }))
  await rival.close()
  first.end()

  const second = await until('another agent gets the task', async () => {
    const call = claimTask(grpc, { task_id })
    const answer = await call.next()
    return answer?.$case === 'assignment' && call
  })
  second.event(1n, placesEvent(1, 2, 3))
  second.event(2n, placesEvent(4, 5, 6))
  second.event(3n, placesEvent(7, 8, 9, 10))

  const job = await client.ended(job_id)
  expect(job).toMatchObject({ status: 'completed', result_count: 4 })
  const keys = (await client.places(job_id)).map((place) => place.data_id)
  expect(keys).toEqual([2, 4, 6, 8].map(keyOf))
  const { body } = await client.call('GET', `/api/v1/jobs/${job_id}/costs`)
  expect(body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ quantity: 4 })]) })
})

test('an estimate with only_new omits places that the same search found before', async () => {
  await run([1, 2, 3], { keywords: ['bakery'] })
  const estimate = async (request: object) => {
    const { body } = await client.call('POST', '/api/v1/jobs/estimates', { depth: 1, ...request })
    return body
  }
  const all = { estimate: { places: 15, places_max: 20 } }
  expect(await estimate({ keywords: ['bakery'] })).toMatchObject(all)
  expect(await estimate({ keywords: ['BAKERY'], only_new: true })).toMatchObject({
    estimate: { places: 12, places_max: 17, places_known: 3 },
  })
  expect(await estimate({ keywords: ['baker'], only_new: true })).toMatchObject({
    estimate: { places_known: 0, places: 15 },
  })
})

test('known places that a search lists are not collected', async () => {
  await upload([1, 2].map(keyOf).join('\n'))
  const { job_id, task_id } = await releasedTask(world, coordinator, { fast_mode: false, only_new: true })
  const call = claimTask(grpc, { task_id })
  await call.next()
  const references = [1, 2, 3].map((n) => ({ place_key: keyOf(n), title: `Place ${n}` }))
  call.event(1n, { $case: 'references', value: { references } })
  await call.next()
  call.event(2n, finishedEvent)

  const collect = await until('the new place is to be collected', async () => {
    return await tasks.findOne({ job_id, kind: 'collect', state: 'released' })
  })
  const assigned = await claimTask(grpc, { task_id: collect._id }).next()
  const work = { value: { references: [{ place_key: keyOf(3) }] } }
  expect(assigned).toMatchObject({ $case: 'assignment', value: { work } })
  await client.call('DELETE', `/api/v1/jobs/${job_id}`) // else its task is released again, in the window of later tests
})

test('a job with only_new and recheck_after needs exactly the total_min of its estimate', async () => {
  const { user_id, key } = await addUser(world.db, 0)
  const job = { ...JOB, max_reviews: 0, only_new: true, recheck_after: 7 }
  const [day, now] = [24 * 3_600_000, Date.now()]
  const seen = { first_seen_at: new Date(now - 9 * day), last_seen_at: new Date(now) }
  await known.insertMany(
    [1, 8, 9].map((days, n) => {
      const collected_at = new Date(now - days * day)
      return { user_id, place_key: keyOf(n), ...seen, collected_at, search: searchOf(job) }
    }),
  )
  const answer = await ask(url, 'POST', '/api/v1/jobs/estimates', { key, body: job })
  const { estimate } = z
    .object({ estimate: z.object({ places_known: z.int(), total_min: z.number() }) })
    .parse(answer.body)
  expect(estimate.places_known).toBe(1)
  const create = () => ask(url, 'POST', '/api/v1/jobs', { key, body: job })

  await addCredits(world.db, user_id, Number((estimate.total_min - 0.000_001).toFixed(6)))
  expect(await create()).toMatchObject({ status: 402, body: { error: 'insufficient_credits' } })
  await addCredits(world.db, user_id, 0.000_001)
  expect(await create()).toMatchObject({ status: 201 })
})

test('a known place that a monitor looks at directly is collected again, and is not reported gone', async () => {
  await run([1, 2])
  const job = { name: 'bakeries', keywords: ['bakery'], language: 'en', fast_mode: true, only_new: true }
  const request = { name: 'm', job, schedule: { every: '12h' }, paused: true }
  const { id: monitor_id } = z
    .looseObject({ id: z.string() })
    .parse((await client.call('POST', '/api/v1/monitors', request)).body)
  await watchedPlacesOf(world.db).insertOne({
    monitor_id,
    place_key: keyOf(1),
    state: 'present',
    missed: 9,
    fields: { title: 'Place 1' },
    since: new Date(0),
    run_at: new Date(0),
  })

  const started = await client.call('POST', `/api/v1/monitors/${monitor_id}/run`)
  const { job_id } = z.object({ job_id: z.string() }).parse(started.body)
  const released = (kind: 'discover' | 'collect') =>
    until(`the ${kind} task is released`, async () => await tasks.findOne({ job_id, kind, state: 'released' }))
  await runTask((await released('discover'))._id, 2)
  await runTask((await released('collect'))._id, 1)

  await client.ended(job_id)
  expect((await client.places(job_id)).map((place) => place.data_id)).toEqual([keyOf(1)])
  const watched = watchedPlacesOf(world.db)
  const compared = await until('the run is compared', () =>
    watched.findOne({ monitor_id, place_key: keyOf(1), missed: { $exists: false } }),
  )
  expect(compared).toMatchObject({ state: 'present' })
  expect(await changesOf(world.db).find({ monitor_id }).toArray()).toEqual([])
})
