import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTowns, TOWNS_FILE } from '@placefleet/coordinator/towns/find-towns'
import { townRoutes } from '@placefleet/coordinator/towns/routes'
import { searchTowns } from '@placefleet/coordinator/towns/search'
import { searchedName } from '@placefleet/shared/text'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'

const towns = readFileSync(TOWNS_FILE)
const find = (name: string, limit = 5) => searchTowns(towns, searchedName(name), limit)

const world = await startWorld(afterAll)
const coordinator = await addCoordinator(world)

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
  const { body, status } = await coordinator.client.call('GET', '/api/v1/towns?search=Berlin&limit=1')
  const refused = await fetch(`${coordinator.url}/api/v1/towns?search=Berlin`)

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
