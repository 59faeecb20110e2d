import { accountRoutes } from '@placefleet/coordinator/accounts/routes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startApi } from '../../harness/coordinator/api.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const startDocumented = () =>
  startApi(db, {
    routes: async (server) =>
      void (await server.register(accountRoutes, { prefix: '/api/v1', db, usedKeys: async () => [] })),
  })

const Document = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

test('the OpenAPI 3.1 document lists every route with its failures, and no unused schema', async () => {
  const api = await startDocumented()
  const { status, body, text } = await api.call('GET', '/openapi.json')
  const { openapi, paths, components } = Document.parse(body)
  expect([status, openapi]).toEqual([200, '3.1.0'])
  expect(Object.keys(paths).sort()).toEqual([
    '/api/v1/api-keys',
    '/api/v1/api-keys/{id}',
    '/api/v1/version',
    '/health',
    '/livez',
  ])
  const failures = Object.keys(paths['/api/v1/api-keys']?.post?.responses ?? {})
  expect(failures).toEqual(['201', '400', '401', '403', '409', '413', '415', '422', '429', '503'])
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`#/components/schemas/${name}`)
  expect(paths['/api/v1/api-keys/{id}']?.delete?.responses['204']).not.toHaveProperty('content')
  expect(paths['/api/v1/api-keys/{id}']?.delete?.responses['204']).toMatchObject({ description: 'Revoked' })
})
