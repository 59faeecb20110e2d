import { codeSamples } from '@placefleet/coordinator/http/openapi-samples'
import { expect, test } from 'vitest'

const sourceOf = (label: string, operation: Parameters<typeof codeSamples>[0]) =>
  codeSamples(operation).find((sample) => sample.label === label)?.source

const create = { method: 'POST', path: '/api/v1/jobs', parameters: [], body: { name: "it's [true]", fast_mode: true } }

test('a creation is shown with its body, quoted as each language wants it', () => {
  expect(sourceOf('curl', create)).toBe(`curl -X POST "$PLACEFLEET_URL/api/v1/jobs" \\
  -H "Authorization: Bearer $PLACEFLEET_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s [true]","fast_mode":true}'`)
  expect(sourceOf('TypeScript', create)).toContain(`api.POST('/api/v1/jobs', {\n  body: {\n    "name": "it's [true]",`)
  expect(sourceOf('Python', create)).toContain('"fast_mode": True')
  expect(sourceOf('Python', create)).toContain(`"name": "it's [true]"`)
})

test('a parameter of the path is named after its thing', () => {
  const parameters = [{ name: 'id', in: 'path' }]
  const read = { method: 'GET', path: '/api/v1/jobs/{id}/results', parameters, body: undefined }
  expect(sourceOf('curl', read)).toContain('curl "$PLACEFLEET_URL/api/v1/jobs/JOB_ID/results"')
  expect(sourceOf('TypeScript', read)).toContain(`{\n  params: { path: { id: 'JOB_ID' } },\n}`)
})
