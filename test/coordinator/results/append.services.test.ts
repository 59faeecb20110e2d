import { type AcceptedPlace, createResultAppender, type Destination } from '@placefleet/coordinator/results/append'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { recountTotals, tierCounts } from '@placefleet/coordinator/results/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

const place = (n: number): AcceptedPlace => ({
  place_key: `0x${n}:0x1`,
  place: { place_key: `0x${n}:0x1`, title: `Place ${n}` },
  web_presence: 'none',
})
const places = (...numbers: number[]): AcceptedPlace[] => numbers.map(place)

const destination = (changes: Partial<Destination> = {}): Destination => ({
  user_id: 'user',
  job_id: crypto.randomUUID(),
  task_id: 'task',
  attempt: 1,
  agent_id: 'agent',
  max_results: 100,
  affordable: () => true,
  ...changes,
})

const stored = (job_id: string) =>
  resultsOf(db)
    .find({ job_id, place_key: { $exists: true } })
    .sort({ position: 1 })
    .toArray()

test('two coordinators that append at once number every place once, and the totals run along the chain', async () => {
  const to = destination()
  const [one, other] = [createResultAppender(db), createResultAppender(db)]
  const all = Array.from({ length: 40 }, (_, n) => n + 1)

  await Promise.all([
    ...all.filter((n) => n % 2 === 0).map((n) => one.append(to, places(n, n + 1))),
    ...all.filter((n) => n % 2 === 1).map((n) => other.append({ ...to, task_id: 'other' }, places(n))),
  ])

  const found = await stored(to.job_id)
  expect(found.map(({ position }) => position)).toEqual(found.map((_, index) => index + 1))
  expect(found.map(({ totals }) => totals.places)).toEqual(found.map((_, index) => index + 1))
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(41)
  expect(new Set(found.map(({ place_key }) => place_key)).size).toBe(41)
})

test('reviews of both kinds and images are counted, and counted again from the stored places', async () => {
  const to = destination()
  const rich = place(1)
  const reviews = (count: number) => Array.from({ length: count }, (_, n) => ({ id: String(n) }))
  const images = [{ url: 'https://pictures.example/a' }]
  rich.place = { ...rich.place, user_reviews: reviews(2), user_reviews_extended: reviews(3), images }
  const { totals } = await createResultAppender(db).append(to, [rich, place(2)])
  expect(totals).toEqual({ places: 2, reviews: 5, images: 1 })
  expect((await recountTotals(db, [to.job_id])).get(to.job_id)).toMatchObject(totals)
})

test('a job stores at most its cap of places, and reports that it is full', async () => {
  const to = destination({ max_results: 3 })
  const appender = createResultAppender(db)
  expect(await appender.append(to, places(1, 2))).toMatchObject({ stored: 2 })
  expect(await appender.append(to, places(3, 4, 5))).toMatchObject({ stored: 1, end: 'full' })
  expect(await appender.append(to, places(6))).toMatchObject({ stored: 0, end: 'full' })
  expect(await stored(to.job_id)).toHaveLength(3)
})

test('a job stores no place beyond its hold, and reports that it is spent', async () => {
  const to = destination({ affordable: ({ places: count }) => count <= 2 })
  const appender = createResultAppender(db)
  expect(await appender.append(to, places(1, 2, 3))).toMatchObject({ stored: 2, end: 'spent' })
})

test('a place that its own task sends again is no duplicate, one of another task is', async () => {
  const to = destination()
  const appender = createResultAppender(db)
  await appender.append(to, places(1, 2))
  expect(await appender.append(to, places(1, 2, 3))).toMatchObject({ stored: 1, duplicates: 0 })
  expect(await appender.append({ ...to, task_id: 'other' }, places(2, 3))).toMatchObject({ stored: 0, duplicates: 2 })
})

test('a seal returns the totals of the stored places, also when it is repeated', async () => {
  const to = destination()
  const appender = createResultAppender(db)
  await appender.append(to, places(1, 2, 3))
  expect(await appender.seal(to.job_id)).toMatchObject({ places: 3 })
  expect(await appender.seal(to.job_id)).toMatchObject({ places: 3 })
  expect(await createResultAppender(db).seal(destination().job_id)).toMatchObject({ places: 0 })
})

test('nothing is stored after a seal, even when the places of a deleted job are removed', async () => {
  const to = destination()
  const appender = createResultAppender(db)
  await appender.append(to, places(1))
  await appender.seal(to.job_id)
  expect(await appender.append(to, places(2))).toMatchObject({ stored: 0, end: 'sealed' })

  await appender.bury(to.job_id)

  expect(await appender.append(to, places(3))).toMatchObject({ stored: 0, end: 'sealed' })
  expect(await stored(to.job_id)).toEqual([])
})

test('a seal that races with another coordinator bills every place that is stored', async () => {
  for (let round = 0; round < 20; round++) {
    const to = destination()
    const appending = createResultAppender(db)
    const adding = [1, 2, 3, 4, 5, 6].map((n) => createResultAppender(db).append(to, places(n)))
    const totals = await createResultAppender(db).seal(to.job_id)
    await Promise.all(adding)
    expect(await stored(to.job_id)).toHaveLength(totals.places)
    expect(await appending.seal(to.job_id)).toEqual(totals)
  }
})

test('places that a crash of the database takes away, after another coordinator read them, leave no gap and are not billed', async () => {
  const to = destination()
  await createResultAppender(db).append(to, places(1, 2, 3)) // by a coordinator that hears nothing of it
  const [one, other] = [createResultAppender(db), createResultAppender(db)]
  await other.append({ ...to, task_id: 'other' }, places(1, 2, 3))
  await resultsOf(db).deleteMany({ job_id: to.job_id, position: { $gt: 1 } })
  await other.append({ ...to, task_id: 'other' }, places(4))
  await one.append(to, places(2, 3))
  expect((await stored(to.job_id)).map(({ position }) => position)).toEqual([1, 2, 3, 4])
  expect(await one.seal(to.job_id)).toMatchObject({ places: 4 })
})

test('places of two coordinators make one chain without doubles, gaps or places beyond the cap', async () => {
  const to = destination({ max_results: 5 })
  const [one, other] = [createResultAppender(db), createResultAppender(db)]
  await one.append(to, places(1, 2))
  await other.append({ ...to, task_id: 'other' }, places(2, 3))
  expect(await one.append(to, places(3, 4))).toMatchObject({ stored: 1, duplicates: 1, totals: { places: 4 } })
  expect(await other.append(to, places(5, 6))).toMatchObject({ stored: 1, totals: { places: 5 }, end: 'full' })

  const chain = await stored(to.job_id)
  expect(chain.map(({ place_key, position }) => [place_key, position])).toEqual(
    [1, 2, 3, 4, 5].map((n) => [`0x${n}:0x1`, n]),
  )
  const ids = chain.map(({ _id }) => Number(_id))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(await tierCounts(db, to.job_id)).toMatchObject({ none: 5, has: 0 })
})
