import { once } from 'node:events'
import { connect } from 'node:net'
import { closeServer, startDraining } from '@placefleet/coordinator/http/server'
import { connectMongo, pingDatabase } from '@placefleet/coordinator/mongo/connect'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { sampleRoutes } from '../../harness/coordinator/sample-routes.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db, url } = await testDatabase()
const { key } = await testUser(db)

test('the health check needs no account and reports the state of the parts', async () => {
  const api = await startApi(db)
  const { status, body } = await api.call('GET', '/health')
  expect([status, body]).toEqual([200, { status: 'ok', db: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }])
  expect((await api.call('HEAD', '/health')).status).toBe(200)
})

test('the version is shown only to accounts', async () => {
  const api = await startApi(db)
  expect((await api.call('GET', '/api/v1/version')).status).toBe(401)
  const { body } = await api.call('GET', '/api/v1/version', { key })
  expect(body).toEqual({
    version: expect.any(String),
    build_date: expect.any(String),
    git_commit_short: expect.any(String),
    environment: 'test',
  })
})

test('a database that is gone is a 503 with Retry-After, and the health check says so', async () => {
  const mongo = await connectMongo(url)
  await mongo.close()
  const api = await startApi(mongo.db, { databaseAnswers: pingDatabase(mongo.db) })
  const answer = await api.call('GET', '/api/v1/version', { key })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(answer.body).toEqual({
    code: 503,
    error: 'unavailable',
    message: expect.stringContaining('database'),
    request_id: expect.any(String),
  })
  expect(answer.headers.get('ratelimit')).toMatch(/^api;r=\d+;t=\d+$/)
  const health = await api.call('GET', '/health')
  expect([health.status, health.headers.get('retry-after'), health.body]).toEqual([
    ...[503, '5'],
    {
      status: 'unavailable',
      db: 'down',
      version: expect.any(String),
      code: 503,
      error: 'unavailable',
      message: expect.stringContaining('database'),
      request_id: expect.any(String),
    },
  ])
})

test('a server that drains says so and still answers', async () => {
  const api = await startApi(db)
  startDraining(api.server)
  const health = await api.call('GET', '/health')
  expect([health.status, health.body]).toMatchObject([503, { status: 'draining', db: 'ok' }])
  const answer = await api.call('GET', '/api/v1/version', { key })
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
})

test('closing answers requests in flight on a kept-alive connection, without waiting for the client to disconnect', async () => {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const api = await startApi(db, {
    routes: async (server) => {
      server.get('/slow', { config: { access: 'anyone' } }, async () => {
        reached.resolve()
        await release.promise
        return { done: true }
      })
    },
  })
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const answered = () => Buffer.concat(chunks).toString()
  socket.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')
  socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  await reached.promise
  const closed = api.close()
  release.resolve()
  await Promise.all([closed, once(socket, 'close')])
  expect(answered()).toMatch(/connection: close[\s\S]*\{"done":true\}/)
})

test('closing cuts requests that do not end in time', async () => {
  const reached = Promise.withResolvers<void>()
  const api = await startApi(db, {
    routes: async (server) => {
      server.get('/endless', { config: { access: 'anyone' } }, () => {
        reached.resolve()
        return new Promise(() => undefined)
      })
    },
  })
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
  socket.write('GET /endless HTTP/1.1\r\nhost: a\r\n\r\n')
  await reached.promise
  await Promise.all([closeServer(api.server, 100), once(socket, 'close')])
})

test('every route needs an account unless it says otherwise', async () => {
  const api = await startApi(db, {
    routes: async (server) => {
      server.get('/forgotten', async () => ({}))
      await server.register(sampleRoutes, { prefix: '/api/v1' })
    },
  })
  for (const path of ['/forgotten', '/api/v1/things', '/api/v1/me', '/api/v1/things/x']) {
    const answer = await api.call('GET', path)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  }
  expect((await api.call('GET', '/forgotten', { key })).status).toBe(200)
})

test('health names the part that fails: a database that rejects writes, its full disk, a queue that does not answer', async () => {
  const full = await startApi(db, { databaseAcceptsWrites: async () => false })
  const rejected = await full.call('GET', '/health')
  expect([rejected.status, rejected.body]).toMatchObject([503, { status: 'unavailable', db: 'down' }])
  expect(rejected.text).toContain('rejects writes')
  expect(rejected.headers.get('retry-after')).toBe('5')
  const ended = await startApi(db, { databaseAnswers: async () => false, databaseDiskIsFull: async () => true })
  const { status, text } = await ended.call('GET', '/health')
  expect([status, text]).toEqual([503, expect.stringContaining('disk is full')])
  const unheard = await startApi(db, { queueAnswers: () => false })
  expect(await unheard.call('GET', '/health')).toMatchObject({ status: 200, body: { db: 'ok', queue: 'down' } })
})
