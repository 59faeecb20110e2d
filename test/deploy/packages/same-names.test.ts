import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Placefleet } from '@placefleet/client'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'

const CLIENTS = join(ROOT, 'coordinator/clients')

const snakeCased = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const { url: _url, api: _api, ...resources } = new Placefleet({ url: 'http://127.0.0.1', apiKey: 'svc_x' })
const calls = Object.entries(resources).map(([name, resource]): [string, string[]] => [
  snakeCased(name),
  Object.keys(resource).map(snakeCased).sort(),
])

test.each(calls)('the resource $0 of the Python client has the calls of the TypeScript client', (name, names) => {
  const source = readFileSync(join(CLIENTS, 'python/placefleet/_async', `${name}.py`), 'utf8')
  const defined = [...source.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)].map(([, call = '']) => call)
  expect(defined.sort()).toEqual(names)
})

test.each([['python'], ['typescript']])('the page of the client in $0 lists every call', (client) => {
  const page = readFileSync(join(CLIENTS, client, 'README.md'), 'utf8')
  const table = [...page.matchAll(/^\| `(\w+)` \| (`[a-z].*`) \|$/gm)].map(([, name = '', row = '']) => [
    snakeCased(name),
    [...row.matchAll(/`(\w+)`/g)].map(([, call = '']) => snakeCased(call)).sort(),
  ])
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(calls))
})
