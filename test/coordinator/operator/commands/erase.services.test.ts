import { createResultAppender } from '@placefleet/coordinator/results/append'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { presentResult } from '@placefleet/coordinator/results/present'
import { recountTotals } from '@placefleet/coordinator/results/store'
import type { Place } from '@placefleet/shared/place'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../harness/servers/database.ts'
import { SCAN } from '../../../harness/servers/scan.ts'
import { opsOn } from './run-ops.ts'

const database = await testDatabase()
const { db } = database
const ops = opsOn(database)
const results = createResultAppender(db)

const AUTHOR = '101234567890123456789'
const authorUrl = (id: string) => `https://maps.example.com/maps/contrib/${id}/reviews?hl=en`
const source = { user_id: 'user', task_id: 'task', attempt: 1, agent_id: 'agent' }
const from = { ...source, max_results: 50, affordable: () => true }

const places: Place[] = [
  {
    place_key: '0x1:0xa',
    title: 'Bakery Ada',
    phone: '+49 30 123',
    images: [{ url: 'https://example.com/ada.jpg' }],
    user_reviews: [
      { id: 'r1', author: 'Grace Hopper', author_url: authorUrl(AUTHOR), text: 'Lovely bread' },
      { id: 'r2', author: 'Alan', author_url: authorUrl(`${AUTHOR}0`), text: 'Good rolls' },
    ],
  },
  { place_key: '0x1:0xb', title: 'No reviews' },
]

let job_id = ''
beforeEach(async () => {
  job_id = crypto.randomUUID()
  const accepted = places.map((place) => ({ place_key: place.place_key, place, web_presence: 'none' as const }))
  await results.append({ ...from, job_id }, accepted)
})

const stored = async () => (await resultsOf(db).find({ job_id }).sort({ position: 1 }).toArray()).map(presentResult)

test('all reviews of an author are emptied, and no others', async () => {
  await ops.json('erase', '--author', AUTHOR)
  const [bakery, other] = await stored()
  expect(JSON.stringify(bakery)).not.toMatch(/Grace|Lovely/)
  expect(bakery?.user_reviews).toMatchObject([
    { id: 'erased', text: '' },
    { author: 'Alan', text: 'Good rolls' },
  ])
  expect(other).toMatchObject({ title: 'No reviews', user_reviews: [] })
})

test('a place is emptied with its key, and its job still counts and costs the same', async () => {
  const before = await recountTotals(db, [job_id])
  await ops.json('erase', '--place', '0x01:0xA') // as other tools write it
  expect(JSON.stringify(await resultsOf(db).find({ job_id }).toArray())).not.toMatch(/Ada|Grace|0x1:0xa|\+49/)
  expect(await recountTotals(db, [job_id])).toEqual(before)
  expect((await stored()).map(({ title }) => title)).toEqual(['erased', 'No reviews'])
})

test('an erasure is recorded without the id of the person, and may be repeated', async () => {
  const first = await ops.json('erase', '--author', AUTHOR)
  expect(first).toMatchObject({ record: expect.any(String), places: expect.any(Number) })
  expect(await ops.json('erase', '--author', AUTHOR)).toMatchObject({ places: 0 })
  const records = await db.collection('erasures').find({ kind: 'author' }, SCAN).toArray()
  expect(records.at(-1)).toMatchObject({ ended_at: expect.any(Date), subject: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify(records)).not.toContain(AUTHOR)
})

test.each([
  [[], 'Name either --author or --place'],
  [['--author', '.*'], 'must be the digits'],
  [['--place', 'Ada'], 'must be a place key'],
])('erase %j is refused with a sentence', async (args, message) => {
  expect(await ops.run('erase', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})
