// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createFakeApi, NO_CONNECTION, type Routes, refused } from './fake-api.ts'

/** Sends a letter and returns what was wrong with it. */
async function faultsOf(routes: Routes, body: object = { category: 'bug', message: 'It is broken.' }) {
  const api = createFakeApi(routes)
  await api.fetch('/api/v1/support', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return api.faults
}

test('an answer that the document describes is no fault', async () => {
  expect(await faultsOf({ 'POST /api/v1/support': { success: true } })).toEqual([])
  expect(await faultsOf({ 'POST /api/v1/support': refused(429, 'Later.') })).toEqual([])
})

test('a request without a route is a fault', async () => {
  expect(await faultsOf({})).toEqual(['POST /api/v1/support: the test gives no answer'])
})

test.each([
  ['a field more', { success: true, more: 1 }],
  ['another value', { success: false }],
  ['no body', undefined],
])('an answer with %s than the document says is a fault', async (_, answer) => {
  const routes: Routes = {}
  Object.assign(routes, { 'POST /api/v1/support': answer })
  expect(await faultsOf(routes)).toEqual([expect.stringContaining('the test answers what the OpenAPI document')])
})

test('a refusal with a status that the operation does not have is a fault', async () => {
  expect(await faultsOf({ 'POST /api/v1/support': refused(418, 'I am a teapot.') })).toHaveLength(1)
})

test('a request that the document does not allow must be refused', async () => {
  const wrong = { category: 'poem' }
  expect(await faultsOf({ 'POST /api/v1/support': { success: true } }, wrong)).toHaveLength(1)
  expect(await faultsOf({ 'POST /api/v1/support': refused(503, 'Away.') }, wrong)).toHaveLength(1)
  expect(await faultsOf({ 'POST /api/v1/support': refused(422, 'Which category?') }, wrong)).toEqual([])
})

test('a parameter that the operation does not have, and a path without an operation, are faults', async () => {
  const api = createFakeApi({ 'GET /api/v1/towns': { towns: [] } })
  await api.fetch('/api/v1/towns?search=berlin')
  expect(api.faults).toEqual([])
  await api.fetch('/api/v1/towns?name=berlin')
  await api.fetch('/api/v1/villages')
  expect(api.faults).toHaveLength(2)
})

test('without a connection a request fails as in a browser', async () => {
  const api = createFakeApi({ 'GET /livez': NO_CONNECTION })
  await expect(api.fetch('/livez')).rejects.toThrow(TypeError)
})
