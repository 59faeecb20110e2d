import { expect, test } from 'vitest'
import { serve } from '../network/serve.ts'
import { callApi } from './call-api.ts'
import { documented, holdAgainstDocument } from './documented-answers.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        summary: 'Get a thing',
        responses: {
          200: { description: 'The thing', ...json({ $ref: '#/components/schemas/Thing' }) },
          204: { description: 'Nothing' },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    },
  },
}

/** Calls an API with this document that answers so. */
async function called(status: number, body: unknown, path = '/things/one', type = 'application/json; charset=utf-8') {
  const { url } = await serve((_, response) => {
    if (status === 204) return response.writeHead(status).end()
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
  })
  holdAgainstDocument(url, () => documented(DOCUMENT))
  return callApi(`${url}${path}`, 'GET')
}

test('an answer of a coordinator that its document describes passes, and so does one of an unlisted path', async () => {
  expect(await called(200, { id: 'one' })).toMatchObject({ status: 200, body: { id: 'one' } })
  expect(await called(204, undefined)).toMatchObject({ status: 204 })
  expect(await called(200, 'anything', '/other')).toMatchObject({ status: 200 })
})

test.each([
  { what: 'another status', status: 418, body: {}, fault: 'no status 418' },
  { what: 'a field more', status: 200, body: { id: 'one', secret: 1 }, fault: 'must NOT have additional properties' },
  { what: 'a field less', status: 200, body: {}, fault: "must have required property 'id'" },
  { what: 'a field of another type', status: 200, body: { id: 1 }, fault: 'must be string' },
  { what: 'another type of content', status: 200, body: {}, type: 'text/html', fault: 'no content text/html' },
])('an answer with $what than its document says fails its test', async ({ status, body, type, fault }) => {
  await expect(called(status, body, '/things/one', type)).rejects.toThrow(fault)
})
