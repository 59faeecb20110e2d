import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'

const CLIENTS = join(ROOT, 'coordinator/clients')

test('every package has the version of the service, also in its changelog', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const clients = readdirSync(CLIENTS)
  expect(clients.sort()).toEqual(['cli', 'n8n', 'python', 'typescript'])
  for (const client of clients) {
    const manifest = client === 'python' ? 'pyproject.toml' : 'package.json'
    expect(readFileSync(join(CLIENTS, client, manifest), 'utf8')).toMatch(
      new RegExp(`^ *"?version"?( =|:) "${version}",?$`, 'm'),
    )
    expect(readFileSync(join(CLIENTS, client, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`)
  }
})
