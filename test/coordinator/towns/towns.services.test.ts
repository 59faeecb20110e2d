import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Monitor } from '@placefleet/coordinator/monitors/schema'
import { createTowns, TOWNS_FILE } from '@placefleet/coordinator/towns/find-towns'
import { createTownNear } from '@placefleet/coordinator/towns/near'
import { townRoutes } from '@placefleet/coordinator/towns/routes'
import { searchTowns } from '@placefleet/coordinator/towns/search'
import { townRadius } from '@placefleet/shared/great-circle'
import { searchedName } from '@placefleet/shared/text'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'

const townNear = createTownNear(createTowns(TOWNS_FILE))
const world = await startWorld(afterAll)
const { client, url } = await addCoordinator(world)

const JOB = { name: 'a job', keywords: ['bakery'], language: 'en' }
const post = (path: string, body: object) => client.call('POST', `/api/v1${path}`, body)

test.each([
  ['Limassol', 'CY', '05'],
  ['limassol', 'CY', '05'],
  [' Limassol , cy ', 'CY', '05'],
  ['Wels', 'AT', '04'], // other names begin so
  ['Limasso', 'CY', '05'], // no other name begins so
  ['Berlin, DE', 'DE', '16'],
  ['berlin, germany', 'DE', '16'],
  ['Berlin, NH, US', 'US', 'NH'],
  ['Springfield, IL', 'US', 'IL'],
  ['Washington, D.C.', 'US', 'DC'],
  ['Basford, Stoke-on-Trent', 'GB', 'ENG'],
])('%s is the town in %s, %s', async (near, country, region) => {
  expect(await townNear(near)).toMatchObject({ country, region })
})

test.each([
  [
    'Springfield',
    'may mean several towns. Send one of them, or its lat and lon: "Springfield, MO, US", "Springfield, MA, US", ',
  ],
  ['Springfield, US', 'may mean several towns'],
  ['Berlin', '"Berlin, 16, DE"'],
  ['Lond', '"London, ENG, GB"'],
  ['Limassol, DE', 'names no town'],
  ['zzzzzz', 'names no town of the list. Find one with GET /api/v1/towns, or send lat and lon'],
  [', DE', 'names no town'],
])('%s is refused: %s', async (near, message) => {
  await expect(townNear(near)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
})

test('each candidate of a refusal names one town', async () => {
  const { body, status } = await post('/jobs', { ...JOB, near: 'Berlin' })
  expect(status).toBe(400)
  const names = [...JSON.stringify(body).matchAll(/"path":"near","message":"([^"]*): [0-9]+ people, lat /g)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThan(3)
  const towns = await Promise.all(names.map(townNear))
  expect(new Set(towns.map(({ lat, lon }) => `${lat} ${lon}`)).size).toBe(names.length)
})

test('a job near a town has its centre, and the radius of the request or one for its size', async () => {
  const { lat, lon, population } = await townNear('Limassol')
  const centre = { lat: String(lat), lon: String(lon), coverage: 'cells' }
  const plain = await client.job(await client.create({ ...JOB, near: 'Limassol' }))
  expect(plain.data).toMatchObject({ ...centre, radius: townRadius(population) })
  expect(plain.data).not.toHaveProperty('near')
  const wide = await client.job(await client.create({ ...JOB, near: 'Limassol', radius: 12_345 }))
  expect(wide.data).toMatchObject({ ...centre, radius: 12_345 })
})

test('a keyword that is a link of a search means its words, its centre and its zoom', async () => {
  const link = (at: string) => `https://www.google.com/maps/search/dental+clinic/@${at},15z/data=!3m1!4b1`
  const keywords = ['dentist', link('34.6786,33.0413')]
  const linked = await client.job(await client.create({ ...JOB, keywords }))
  expect(linked.data).toMatchObject({
    keywords: ['dentist', 'dental clinic'],
    lat: '34.6786',
    lon: '33.0413',
    zoom: 15,
  })
  const own = await client.job(await client.create({ ...JOB, keywords, lat: '1', lon: '2' }))
  expect(own.data).toMatchObject({ keywords: ['dentist', 'dental clinic'], lat: '1', lon: '2', zoom: 0 })
  const refused = await post('/jobs', { ...JOB, keywords: [...keywords, link('34.6786,33.0414')] })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'keywords.2' }] } })
})

test('a monitor and an estimate take a town, and refuse one of several', async () => {
  const job = { ...JOB, near: 'Limassol' }
  const { lat } = await townNear('Limassol')
  const schedule = { every: '12h' }
  const { body } = await post('/monitors', { name: 'm', job, schedule })
  const monitor = Monitor.parse(body)
  expect(monitor.job).toMatchObject({ lat: String(lat), radius: townRadius(154_000) })
  const changed = await client.call('PATCH', `/api/v1/monitors/${monitor.id}`, { job: { ...job, near: 'Wels' } })
  expect(Monitor.parse(changed.body).job.lat).not.toBe(String(lat))
  expect((await post('/monitors', { name: 'm', job: { ...job, near: 'Berlin' }, schedule })).status).toBe(400)

  const estimate = await post('/jobs/estimates', job)
  expect(estimate.status).toBe(200)
  const circle = { ...JOB, lat: '1', lon: '2', radius: 5_000 }
  const same = await post('/jobs/estimates', circle)
  const timeOf = (answer: unknown) => JSON.stringify(answer).match(/"requests":(\d+)/)?.[1]
  expect(timeOf(estimate.body)).toBe(timeOf(same.body))
  expect((await post('/jobs/estimates', { ...job, near: 'Berlin' })).status).toBe(400)
})

test.each([
  [0, 2_000],
  [26_000, 2_000],
  [26_500, 2_100],
  [154_000, 5_000],
  [3_426_354, 23_400],
  [15_670_000, 49_900],
  [15_740_000, 50_000],
  [24_000_000, 50_000],
])('a town of %i people has a radius of %i metres', (population, metres) => {
  expect(townRadius(population)).toBe(metres)
})

const towns = readFileSync(TOWNS_FILE)
const find = (name: string, limit = 5) => searchTowns(towns, searchedName(name), limit)

test.each([
  ['Berlin', 'DE'],
  ['berl', 'DE'],
  ['PARIS', 'FR'],
  ['limassol', 'CY'],
  ['koln', 'DE'],
  ['São Paulo', 'BR'],
  ['san francisco', 'US'],
])('%s is first of all the one in %s', (name, country) => {
  expect(find(name)[0]).toMatchObject({ country })
})

test('one town in a thousand, and the last, is found by its whole name', () => {
  const lines = towns.toString().trimEnd().split('\n')
  const sample = lines.filter((_, index) => index % 1_000 === 0 || index === lines.length - 1)
  expect(sample.length).toBeGreaterThan(100)
  for (const line of sample) {
    const [searched = '', name] = line.split('\t')
    expect(searchTowns(towns, searched, 1_000).map((town) => town.name)).toContain(name)
  }
})

test('one letter finds the same towns as a search of the whole list, for any limit, at first and again', async () => {
  const { findTowns } = createTowns()
  for (const letter of ['a', 'S', 'é', 'st', 'zz']) {
    for (const limit of [20, 1, 8]) expect(await findTowns(letter, limit), letter).toEqual(find(letter, limit))
  }
})

test('an unknown name and a single sign find no town', () => {
  expect(find('zzzzzz')).toEqual([])
  expect(find('!')).toEqual([])
})

test('the API returns towns to authenticated callers', async () => {
  const { body, status } = await client.call('GET', '/api/v1/towns?search=Berlin&limit=1')
  const refused = await fetch(`${url}/api/v1/towns?search=Berlin`)

  expect(status).toBe(200)
  expect(body).toEqual({ towns: [expect.objectContaining({ name: 'Berlin', country: 'DE', lat: 52.52437 })] })
  expect(refused.status).toBe(401)
})

test('the list of towns is read again after it could not be read', async () => {
  const file = join(await temporaryDir(), 'towns.tsv')
  const { call } = await startApi(world.db, { routes: (app) => townRoutes(app, createTowns(file)) })
  const { key } = await addUser(world.db)
  const search = () => call('GET', '/towns?search=Berlin', { key })

  expect((await search()).status).toBe(503)
  await writeFile(file, towns)
  expect((await search()).status).toBe(200)
})
