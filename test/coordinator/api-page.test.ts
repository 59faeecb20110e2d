import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATUS } from '@placefleet/coordinator/http/errors'
import { expect, test } from 'vitest'

const COORDINATOR = join(import.meta.dirname, '../../coordinator')
const page = readFileSync(join(COORDINATOR, 'README.md'), 'utf8')

test('the API page lists every error with its status', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) \| (`[a-z_`, ]+`) \|/gm)]
  const listed = rows.flatMap(([, status, names = '']) =>
    [...names.matchAll(/[a-z_]+/g)].map(([name]) => [name, Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual({ ...STATUS, internal: 500 })
})

test('every call on the API page exists', () => {
  const types = readFileSync(join(COORDINATOR, 'clients/typescript/schema.d.ts'), 'utf8')
  const paths = new Set([...types.matchAll(/^ {4}"\/api\/v1(\/[^"]*)"/gm)].map(([, path = '']) => path))
  const called = [...page.matchAll(/\$API(\/[^?"\s]+)/g)].map(([, path = '']) => path)
  const shape = (path: string) => path.replaceAll(/[A-Z]+_ID|\{\w+\}/g, '{}')
  const known = [...paths].map(shape)
  expect(called.length).toBeGreaterThan(20)
  for (const path of called) expect(known).toContain(shape(path))
})
