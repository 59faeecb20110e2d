import { status as Status } from '@grpc/grpc-js'
import { noOutcomes } from '@placefleet/shared/outcome'
import { encodePlace, MAX_EVENT, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, test } from 'vitest'
import { keyOf, placeOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask } from '../../harness/agents/task-call.ts'
import { finishedEvent, placesEvent, released } from '../../harness/coordinator/released-task.ts'
import { startWorld } from '../../harness/coordinator/world.ts'

const REFERENCE = { place_key: keyOf(1), title: 'Place 1' }

test('a place that is not valid, is too large, or that the filter drops, is counted and not stored', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld(), { website_filter: 'no_website' })
  const call = claimTask(grpc, { task_id })
  await call.next()
  const broken = encodePlace({ ...placeOf(1), latitude: 900 })
  const user_reviews = Array.from({ length: 500 }, (_, id) => ({ id: String(id), text: 'x'.repeat(5_000) }))
  const large = encodePlace({ ...placeOf(4), user_reviews })
  const owned = encodePlace({ ...placeOf(2), website: 'https://www.a-bakery.com/' })

  call.event(1n, { $case: 'places', value: { places: [broken, large, owned, encodePlace(placeOf(3))] } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  const job = await client.ended(job_id)
  expect(job).toMatchObject({ result_count: 1, outcomes: { ok: 1, broken: 2, filtered: 1 } })
  expect(job).not.toHaveProperty('limited_reason')
})

test('places are filtered again where they are stored, and those that nobody can judge are kept as limited', async () => {
  const filters = { min_review_count: 10, has_phone: true, categories: ['BAKERY'], exclude_closed: true, min_rating: 4 }
  const { grpc, client, task_id, job_id } = await released(await startWorld(), filters)
  const call = claimTask(grpc, { task_id })
  const assignment = await call.next()
  const parameters = assignment?.$case === 'assignment' ? JSON.parse(assignment.value.parameters) : undefined
  expect(parameters).toMatchObject(filters)
  const wanted = { phone: '25 101555', categories: ['Bakery'], rating: 4, review_count: 10 }
  const places = [
    wanted,
    { ...wanted, review_count: 9 },
    { ...wanted, rating: 3.9 },
    { ...wanted, phone: undefined },
    { ...wanted, categories: ['School'] },
    { ...wanted, closed: 'temporarily' as const },
    { ...wanted, review_count: undefined },
    { ...wanted, review_count: undefined, limited: ['reviews' as const] },
  ].map((fields, index) => encodePlace({ ...placeOf(index), ...fields }))
  call.event(1n, { $case: 'places', value: { places } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  // The agent counts the last one itself, at the end of its task.
  const outcomes = { ok: 3, filtered: 5, limited: 1 }
  expect(await client.ended(job_id)).toMatchObject({ result_count: 3, outcomes, total_cost: '0.016000' })
  const stored = await client.places(job_id)
  expect(stored.map(({ limited }) => limited)).toEqual([undefined, ['details'], ['reviews', 'details']])
})

test('a job says that its places are cut because its agent needed Chromium and could not start it', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()
  const value = { outcomes: { ...noOutcomes(), limited: 2 }, limited_reason: 'chromium_unavailable' }
  call.event(1n, { $case: 'finished', value })
  await call.next()
  expect(await client.ended(job_id)).toMatchObject({ limited_reason: 'chromium_unavailable', outcomes: { limited: 2 } })
})

test('the options for reviews reach the agent, and reviews that do not pass them are neither stored nor billed', async () => {
  const options = {
    reviews_since: '2026-03-01',
    reviews_ratings: [1, 2],
    reviews_sort: 'lowest',
    reviewer_names: false,
  }
  const { grpc, client, task_id, job_id } = await released(await startWorld(), { max_reviews: 2, ...options })
  const call = claimTask(grpc, { task_id })
  const assignment = await call.next()
  const parameters = assignment?.$case === 'assignment' ? JSON.parse(assignment.value.parameters) : undefined
  expect(parameters).toMatchObject(options)
  const review = (id: string, rating: number, day: string) => ({
    id,
    rating,
    author: 'Ada',
    author_url: 'https://www.google.com/maps/contrib/1',
    profile_picture: 'https://pictures.example/1',
    published_at: `${day}T10:00:00.000Z`,
  })
  const rich = {
    user_reviews: [review('good', 5, '2026-04-01'), review('bad', 1, '2026-04-01')],
    user_reviews_extended: [
      review('old', 1, '2026-02-28'),
      review('poor', 2, '2026-03-01'),
      review('more', 2, '2026-03-01'),
    ],
  }
  call.event(1n, { $case: 'places', value: { places: [encodePlace({ ...placeOf(1), ...rich })] } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  await client.ended(job_id)
  const [stored] = await client.places(job_id)
  const anonymous = (id: string, rating: number, day: string) => ({
    id,
    rating,
    published_at: `${day}T10:00:00.000Z`,
    text: '',
    images: [],
  })
  expect(stored?.user_reviews).toEqual([anonymous('bad', 1, '2026-04-01')])
  expect(stored?.user_reviews_extended).toEqual([anonymous('poor', 2, '2026-03-01')])
  const { body } = await client.call('GET', `/api/v1/jobs/${job_id}/costs`)
  expect(body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ quantity: 2 })]) })
})

test('a place is cut to the caps and the area of its job and charged so, for anything that its agent sends', async () => {
  const area = { lat: '52.52', lon: '13.40', radius: 500 }
  const order = { max_images: 1, max_reviews: 3, include_emails: false, ...area }
  const { grpc, client, task_id, job_id } = await released(await startWorld(), order)
  const call = claimTask(grpc, { task_id })
  await call.next()
  const reviews = (from: number) => [from, from + 1].map((n) => ({ id: `review ${n}` }))
  const rich = {
    latitude: 52.5201,
    longitude: 13.4,
    emails: ['a@b.example'],
    email_details: [{ email: 'a@b.example', mx: true, generic: false }],
    phones: ['+4930123'],
    social_links: { x: 'https://x.com/b' },
    images: [1, 2, 3].map((n) => ({ url: `https://images.example/${n}` })),
    user_reviews: reviews(1),
    user_reviews_extended: reviews(3),
  }
  const far = { ...placeOf(2), latitude: -33.8, longitude: 151.2 }
  const places = [{ ...placeOf(1), ...rich }, { ...placeOf(1), ...rich }, far, placeOf(3)].map(encodePlace)

  call.event(1n, { $case: 'places', value: { places } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  const job = await client.ended(job_id)
  expect(job).toMatchObject({ result_count: 1, outcomes: { ok: 1, out_of_area: 2, duplicate: 1, filtered: 0 } })
  const [stored] = await client.places(job_id)
  expect(stored).toMatchObject({ emails: '', images: [{ url: 'https://images.example/1' }] })
  for (const name of ['phones', 'social_links', 'email_list', 'email_details']) expect(stored).not.toHaveProperty(name)
  expect([stored?.user_reviews, stored?.user_reviews_extended]).toMatchObject([reviews(1), [{ id: 'review 3' }]])
  const { body } = await client.call('GET', `/api/v1/jobs/${job_id}/costs`)
  expect(body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ event_type: 'image', quantity: 1 })]),
  })
})

test('a website behind a wrapper is stored as its target', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()
  const website = 'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.a-bakery.com%2F&h=AT1'

  call.event(1n, { $case: 'places', value: { places: [encodePlace({ ...placeOf(1), website })] } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  await client.ended(job_id)
  expect(await client.places(job_id)).toMatchObject([{ website: 'https://www.a-bakery.com/', web_presence: 'has' }])
})

const manyPlaces = (length: number) =>
  ({ $case: 'places', value: { places: Array(length).fill(encodePlace(placeOf(1))) } }) as const
const manyReferences = (length: number) =>
  ({ $case: 'references', value: { references: Array(length).fill(REFERENCE) } }) as const

test.each([
  { holds: 'as many places as', event: manyPlaces(MAX_EVENT.places), answer: { $case: 'acknowledgement' } },
  { holds: 'more places than', event: manyPlaces(MAX_EVENT.places + 1), answer: { code: Status.INVALID_ARGUMENT } },
  { holds: 'as many references as', event: manyReferences(MAX_EVENT.references), answer: { $case: 'acknowledgement' } },
  { holds: 'more references than', event: manyReferences(MAX_EVENT.references + 1), answer: { $case: 'ended' } },
])('an event with $holds the protocol allows is answered with $answer', async ({ event, answer }) => {
  const { grpc, task_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()
  call.event(1n, event)
  expect(await call.next()).toMatchObject(answer)
})

test.each([
  { bytes: MAX_PLACE_BYTES, outcomes: { ok: 1, broken: 0 } },
  { bytes: MAX_PLACE_BYTES + 1, outcomes: { ok: 0, broken: 1 } },
])('a place of $bytes bytes is counted as $outcomes', async ({ bytes, outcomes }) => {
  const { grpc, client, task_id, job_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()
  const place = Buffer.concat([encodePlace(placeOf(1)), Buffer.alloc(bytes, ' ')]).subarray(0, bytes)
  call.event(1n, { $case: 'places', value: { places: [place] } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()
  expect(await client.ended(job_id)).toMatchObject({ outcomes })
})

test('a reference that is not valid is counted as broken', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()

  call.event(1n, { $case: 'references', value: { references: [{ ...REFERENCE, place_key: 'none' }] } })
  await call.next()
  call.event(2n, finishedEvent)
  await call.next()

  expect(await client.ended(job_id)).toMatchObject({ outcomes: { broken: 1 } })
})

test('a job that has enough places counts the visits to websites of the tasks that it stops', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld(), { include_emails: true, max_results: 2 })
  const call = claimTask(grpc, { task_id })
  await call.next()

  for (const n of [1, 2]) {
    const website_visits = { ...noWebsiteVisits(), ok: n, robots: 1 }
    call.event(BigInt(n), { $case: 'places', value: { ...placesEvent(n).value, website_visits } })
    await call.next()
  }

  expect(await client.ended(job_id)).toMatchObject({ result_count: 2, website_visits: { ok: 2, none: 0, robots: 1 } })
})

test('counts beyond reason are not counted', async () => {
  const { grpc, client, task_id, job_id } = await released(await startWorld())
  const call = claimTask(grpc, { task_id })
  await call.next()

  call.event(1n, placesEvent(1))
  await call.next()
  call.event(2n, { $case: 'finished', value: { outcomes: { ...noOutcomes(), blocked: 1_000_000 } } })
  await call.next()

  expect(await client.ended(job_id)).toMatchObject({ outcomes: { ok: 1, blocked: 0 } })
})
