import { status as Status } from '@grpc/grpc-js'
import { noOutcomes } from '@placefleet/shared/outcome'
import type { Place } from '@placefleet/shared/place'
import { encodePlace, MAX_EVENT, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { keyOf, placeOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask, type Said } from '../../harness/agents/task-call.ts'
import { finishedEvent, placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const world = await startWorld(afterAll)
const coordinator = await addCoordinator(world)
const { grpc, client } = coordinator

/** Claims the only task of a new job, which is deleted with the test. */
async function claimed(request: object = {}) {
  const { job_id, task_id } = await releasedTask(world, coordinator, { ...request })
  onTestFinished(async () => void (await client.call('DELETE', `/api/v1/jobs/${job_id}`)))
  const call = claimTask(grpc, { task_id })
  const assignment = await call.next()
  const parameters = assignment?.$case === 'assignment' ? JSON.parse(assignment.value.parameters) : undefined
  return { job_id, call, parameters }
}

/** Lets an agent send these events for a new job, the last of which ends its task. Returns what became of the job. */
async function collected(request: object, ...events: Said[]) {
  const { job_id, call, parameters } = await claimed(request)
  for (const [index, event] of events.entries()) {
    call.event(BigInt(index + 1), event)
    await call.next()
  }
  const [job, places] = [await client.ended(job_id), await client.places(job_id)]
  const { body: costs } = await client.call('GET', `/api/v1/jobs/${job_id}/costs`)
  return { parameters, job, places, costs }
}

const encoded = (n: number, fields: Partial<Place> = {}) => encodePlace({ ...placeOf(n), ...fields })
const eventWith = (...places: Buffer[]) => ({ $case: 'places', value: { places } }) as const
const referencesEvent = (...keys: string[]) =>
  ({ $case: 'references', value: { references: keys.map((place_key) => ({ place_key, title: 'a place' })) } }) as const

test('a place that is not valid, is too large, or that the filter drops, is counted and not stored', async () => {
  const user_reviews = Array.from({ length: 500 }, (_, id) => ({ id: String(id), text: 'x'.repeat(5_000), images: [] }))
  const sent = eventWith(
    encoded(1, { latitude: 900 }),
    encoded(4, { user_reviews }),
    encoded(2, { website: 'https://www.a-bakery.com/' }),
    encoded(3),
  )
  const { job } = await collected({ website_filter: 'no_website' }, sent, finishedEvent)
  expect(job).toMatchObject({ result_count: 1, outcomes: { ok: 1, broken: 2, filtered: 1 } })
  expect(job).not.toHaveProperty('limited_reason')
})

test('places are filtered again where they are stored, and those that nobody can judge are kept as limited', async () => {
  const filters = { min_review_count: 10, has_phone: true, categories: ['BAKERY'], exclude_closed: true, min_rating: 4 }
  const wanted = { phone: '25 101555', categories: ['Bakery'], rating: 4, review_count: 10 }
  const sent: Partial<Place>[] = [
    wanted,
    { ...wanted, review_count: 9 },
    { ...wanted, rating: 3.9 },
    { ...wanted, phone: undefined },
    { ...wanted, categories: ['School'] },
    { ...wanted, closed: 'temporarily' },
    { ...wanted, review_count: undefined },
    { ...wanted, review_count: undefined, limited: ['reviews'] },
  ]
  const event = eventWith(...sent.map((fields, index) => encoded(index, fields)))
  const { parameters, job, places } = await collected(filters, event, finishedEvent)
  expect(parameters).toMatchObject(filters)
  // The agent counts the last one itself, at the end of its task.
  const outcomes = { ok: 3, filtered: 5, limited: 1 }
  expect(job).toMatchObject({ result_count: 3, outcomes, total_cost: '0.016000' })
  expect(places.map(({ limited }) => limited)).toEqual([undefined, ['details'], ['reviews', 'details']])
})

test('a job says that its places are cut because its agent needed Chromium and could not start it', async () => {
  const outcomes = { ...noOutcomes(), limited: 2 }
  const { job } = await collected(
    {},
    {
      $case: 'finished',
      value: { outcomes, limited_reason: 'chromium_unavailable' },
    },
  )
  expect(job).toMatchObject({ limited_reason: 'chromium_unavailable', outcomes: { limited: 2 } })
})

test('the options for reviews reach the agent, and reviews that do not pass them are neither stored nor billed', async () => {
  const options = {
    reviews_since: '2026-03-01',
    reviews_ratings: [1, 2],
    reviews_sort: 'lowest',
    reviewer_names: false,
  }
  const review = (id: string, rating: number, day: string) => {
    return { id, rating, published_at: `${day}T10:00:00.000Z` }
  }
  const link = 'https://www.google.com/maps/contrib/1'
  const signed = (...given: Parameters<typeof review>) => {
    return { ...review(...given), author: 'Ada', author_url: link, profile_picture: link }
  }
  const rich = {
    user_reviews: [signed('good', 5, '2026-04-01'), signed('bad', 1, '2026-04-01')],
    user_reviews_extended: [
      signed('old', 1, '2026-02-28'),
      signed('poor', 2, '2026-03-01'),
      signed('more', 2, '2026-03-01'),
    ],
  }
  const { parameters, places, costs } = await collected(
    { max_reviews: 2, ...options },
    eventWith(encoded(1, rich)),
    finishedEvent,
  )
  expect(parameters).toMatchObject(options)
  const bare = { text: '', images: [] }
  expect(places[0]?.user_reviews).toEqual([{ ...review('bad', 1, '2026-04-01'), ...bare }])
  expect(places[0]?.user_reviews_extended).toEqual([{ ...review('poor', 2, '2026-03-01'), ...bare }])
  expect(costs).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ quantity: 2 })]) })
})

test('a place is cut to the caps and the area of its job and charged so, for anything that its agent sends', async () => {
  const area = { lat: '52.52', lon: '13.40', radius: 500 }
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
  const far = { latitude: -33.8, longitude: 151.2 }
  const { job, places, costs } = await collected(
    { max_images: 1, max_reviews: 3, include_emails: false, ...area },
    eventWith(encoded(1, rich), encoded(1, rich), encoded(2, far), encoded(3)),
    finishedEvent,
  )
  expect(job).toMatchObject({ result_count: 1, outcomes: { ok: 1, out_of_area: 2, duplicate: 1, filtered: 0 } })
  expect(places[0]).toMatchObject({ emails: '', images: [{ url: 'https://images.example/1' }] })
  for (const name of ['phones', 'social_links', 'email_list', 'email_details']) {
    expect(places[0]).not.toHaveProperty(name)
  }
  expect(places[0]?.user_reviews).toMatchObject(reviews(1))
  expect(places[0]?.user_reviews_extended).toMatchObject([{ id: 'review 3' }])
  const image = expect.objectContaining({ event_type: 'image', quantity: 1 })
  expect(costs).toMatchObject({ items: expect.arrayContaining([image]) })
})

test('a website behind a wrapper is stored as its target', async () => {
  const website = 'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.a-bakery.com%2F&h=AT1'
  const { places } = await collected({}, eventWith(encoded(1, { website })), finishedEvent)
  expect(places).toMatchObject([{ website: 'https://www.a-bakery.com/', web_presence: 'has' }])
})

const manyPlaces = (count: number) => eventWith(...Array(count).fill(encoded(1)))
const manyReferences = (count: number) => referencesEvent(...Array(count).fill(keyOf(1)))

test.each([
  { holds: 'as many places as', event: manyPlaces(MAX_EVENT.places), answer: { $case: 'acknowledgement' } },
  { holds: 'more places than', event: manyPlaces(MAX_EVENT.places + 1), answer: { code: Status.INVALID_ARGUMENT } },
  { holds: 'as many references as', event: manyReferences(MAX_EVENT.references), answer: { $case: 'acknowledgement' } },
  { holds: 'more references than', event: manyReferences(MAX_EVENT.references + 1), answer: { $case: 'ended' } },
])('an event with $holds the protocol allows is answered with $answer', async ({ event, answer }) => {
  const { call } = await claimed()
  call.event(1n, event)
  expect(await call.next()).toMatchObject(answer)
})

test.each([
  { bytes: MAX_PLACE_BYTES, outcomes: { ok: 1, broken: 0 } },
  { bytes: MAX_PLACE_BYTES + 1, outcomes: { ok: 0, broken: 1 } },
])('a place of $bytes bytes is counted as $outcomes', async ({ bytes, outcomes }) => {
  const place = Buffer.concat([encoded(1), Buffer.alloc(bytes, ' ')]).subarray(0, bytes)
  expect((await collected({}, eventWith(place), finishedEvent)).job).toMatchObject({ outcomes })
})

test('a reference that is not valid is counted as broken', async () => {
  const { job } = await collected({}, referencesEvent('none'), finishedEvent)
  expect(job).toMatchObject({ outcomes: { broken: 1 } })
})

test('a job that has enough places counts the visits to websites of the tasks that it stops', async () => {
  const events = [1, 2].map((n) => {
    const website_visits = { ...noWebsiteVisits(), ok: n, robots: 1 }
    return { $case: 'places', value: { ...placesEvent(n).value, website_visits } } as const
  })
  const { job } = await collected({ include_emails: true, max_results: 2 }, ...events)
  expect(job).toMatchObject({ result_count: 2, website_visits: { ok: 2, none: 0, robots: 1 } })
})

test('counts beyond reason are not counted', async () => {
  const outcomes = { ...noOutcomes(), blocked: 1_000_000 }
  const { job } = await collected({}, placesEvent(1), { $case: 'finished', value: { outcomes } })
  expect(job).toMatchObject({ outcomes: { ok: 1, blocked: 0 } })
})
