import { createUserLimit } from '@placefleet/coordinator/accounts/limits'
import { knownPlaceRoutes, UPLOADS } from '@placefleet/coordinator/known-places/routes'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { expect, test } from 'vitest'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db } = await testDatabase()

const PATH = '/api/v1/known-places'

/** Starts the routes, with the users whose uploads began. They go on once `goOn` is over. */
async function start(policy = UPLOADS, mostKnown?: number, goOn?: Promise<void>) {
  const began: string[] = []
  const limit = createUserLimit(db, crypto.randomUUID(), policy, 'uploads')
  const uploadLimit = {
    async take(user_id: string) {
      await limit.take(user_id)
      began.push(user_id)
      await goOn
    },
  }
  const options = {
    prefix: '/api/v1',
    known: createKnownPlaces(db, mostKnown === undefined ? {} : { mostKnown }),
    uploadLimit,
  }
  const api = await startApi(db, { routes: async (server) => void (await server.register(knownPlaceRoutes, options)) })
  const upload = (key: string, rawBody = '0x1:0x1\n') =>
    api.call('POST', PATH, { key, rawBody, headers: { 'content-type': 'text/csv' } })
  return { api, upload, began }
}

/** Begins an upload that goes on until it is ended or cut off. */
function slowUpload(baseUrl: string, key: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const [writer, cut] = [writable.getWriter(), new AbortController()]
  void writer.write(Buffer.from('0x1:0x1\n')).catch(() => undefined) // fails when it is cut off
  const answer = fetch(`${baseUrl}${PATH}`, {
    method: 'POST',
    body: readable,
    duplex: 'half',
    signal: cut.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
  })
  return { answer, end: () => writer.close(), cut: () => cut.abort() }
}

const connectionsOf = ({ server }: TestApi) =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('JSON is refused, and parsed up to 256 KiB only', async () => {
  const [{ api }, { key }] = [await start(), await testUser(db)]
  const small = await api.call('POST', PATH, { key, body: [[]] })
  expect([small.status, small.text]).toEqual([400, expect.stringContaining('Content-Type: text/csv')])
  const large = await api.call('POST', PATH, { key, body: Array.from({ length: 100_000 }, () => []) })
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('256 KiB')])
})

test('a file larger than 16 MiB is refused with that limit', async () => {
  const [{ upload }, { key }] = [await start(), await testUser(db)]
  const { status, text } = await upload(key, '\n'.repeat(16 * 1024 * 1024 + 1))
  expect([status, text]).toEqual([413, expect.stringContaining('16 MiB')])
})

test('a user uploads one file at a time and all users two, also after an upload that was cut off', async () => {
  const { api, upload, began } = await start()
  const [one, other, third] = [await testUser(db), await testUser(db), await testUser(db)]
  const slow = [slowUpload(api.baseUrl, one.key), slowUpload(api.baseUrl, other.key)] as const
  await until('both uploads began', () => began.length === 2)

  for (const key of [one.key, third.key]) {
    const { status, headers, text } = await upload(key)
    expect([status, headers.get('retry-after')]).toEqual([429, '5'])
    expect(text).toContain('Another upload is running')
  }

  slow[0].cut()
  await expect(slow[0].answer).rejects.toThrow()
  await until('the other user may upload', async () => (await upload(third.key)).status === 200)
  await slow[1].end()
  expect(await (await slow[1].answer).json()).toEqual({ added: 1, already_known: 0, unreadable: 0 })
})

test('an upload that is cut off before its file is read keeps no slot', async () => {
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const { api, upload, began } = await start(UPLOADS, undefined, promise)
  const { key } = await testUser(db)
  const slow = slowUpload(api.baseUrl, key)
  await until('the upload began', () => began.length === 1)
  slow.cut()
  await expect(slow.answer).rejects.toThrow()
  await until('the server knows', async () => (await connectionsOf(api)) === 0)
  goOn()

  await until('the user may upload', async () => (await upload(key)).status === 200)
})

test('a user uploads 5 files, and then waits', async () => {
  const [{ upload }, { key }] = [await start({ ...UPLOADS, rate: 0.001 }), await testUser(db)]
  for (let nth = 0; nth < 5; nth++) expect((await upload(key)).status).toBe(200)
  const { status, headers, text } = await upload(key)
  expect([status, text]).toEqual([429, expect.stringContaining('Too many uploads')])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
})

test('a user has a bounded number of known places, and may forget them', async () => {
  const [{ api, upload }, { key }] = [await start(UPLOADS, 3), await testUser(db)]
  expect((await upload(key, '0x1:0x1\n0x1:0x2\n')).status).toBe(200)

  const refused = await upload(key, '0x1:0x3\n0x1:0x4\n')
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('at most 3')])

  await api.call('DELETE', PATH, { key })
  expect((await upload(key, '0x1:0x3\n0x1:0x4\n')).status).toBe(200)
})
