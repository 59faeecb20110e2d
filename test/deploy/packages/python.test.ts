import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SYNC_FOLDER, syncFiles } from '@placefleet/deploy/packages/python-sync'
import { pythonTypes } from '@placefleet/deploy/packages/python-types'
import { expect, test } from 'vitest'

test('the blocking half of the Python client is made from the asynchronous one; `npm run generate` writes it', () => {
  const written = readdirSync(SYNC_FOLDER).filter((name) => name.endsWith('.py'))
  const files = new Map(written.map((name) => [name, readFileSync(join(SYNC_FOLDER, name), 'utf8')]))
  expect(files).toEqual(syncFiles())
  for (const source of files.values()) expect(source).not.toMatch(/async (def|for|with)|await |Async/)
})

const operation = (operationId: string, more: object) => ({ operationId, tags: ['jobs'], responses: {}, ...more })

const document = (schemas: object, ...operations: object[]) => ({
  components: { schemas: { WebhookEvent: { $ref: '#/components/schemas/Sent' }, CreateJobRequest: {}, ...schemas } },
  paths: Object.fromEntries(operations.map((get, index) => [`/${index}`, { get }])),
})

test('an object is a dictionary with the types of its fields, and the objects in it come first', () => {
  const Sent = {
    type: 'object',
    description: 'What was "sent"',
    properties: {
      kind: { type: 'string', enum: ['a', 'b'] },
      share: { type: 'number', enum: [0.95] },
      since: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'a time, e.g. `\\d`' },
      parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      anything: {},
    },
    required: ['kind', 'share'],
  }
  expect(pythonTypes(document({ Sent }))).toContain(`

class SentPartsItem(TypedDict):
    id: int


class Sent(TypedDict):
    """What was "sent" """

    kind: Literal["a", "b"]
    share: float
    since: NotRequired[str | None]
    r"""a time, e.g. \`\\d\`"""
    parts: NotRequired[list[SentPartsItem]]
    counts: NotRequired[dict[str, int]]
    anything: NotRequired[Any]

`)
})

test('an object with a keyword of Python among its fields is a dictionary without a class', () => {
  const Sent = {
    type: 'object',
    description: 'An interval',
    properties: {
      from: { type: 'integer', description: 'its begin' },
      kind: { type: 'string', enum: ['a'] },
      other: { $ref: '#/components/schemas/Sent' },
    },
    required: ['from', 'kind'],
  }
  expect(pythonTypes(document({ Sent }))).toContain(`

Sent = TypedDict(
    "Sent",
    {
        # its begin
        "from": "int",
        "kind": "Literal[\\"a\\"]",
        "other": "NotRequired[Sent]",
    },
)
"""An interval"""

`)
})

test('there are types of queries and streams, without what only the client sends, and none of other calls', () => {
  const Sent = { type: 'object', properties: {} }
  const query = (name: string, required = false) => ({ name, in: 'query', required, schema: { type: 'string' } })
  const events = ['place', 'end'].map((type) => ({ type: 'object', properties: { type: { enum: [type] } } }))
  const content = { 'application/x-ndjson': { schema: { oneOf: events } } }
  const types = pythonTypes(
    document(
      { Sent, Hidden: Sent },
      operation('listJobs', { parameters: [query('search', true), query('page'), query('sort')] }),
      operation('streamJob', { responses: { 200: { content } } }),
      operation('listUsers', { tags: ['operators'], parameters: [query('role')] }),
    ),
  )
  expect(types).toContain('class ListJobsQuery(TypedDict):\n    search: str\n    sort: NotRequired[str]\n\n')
  expect(types).toContain('\nStreamJobEvent: TypeAlias = StreamJobEventPlace | StreamJobEventEnd\n')
  expect(types).not.toMatch(/ListUsers|Hidden/)
})
