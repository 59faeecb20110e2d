import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { AGENT_PERMISSIONS } from '@placefleet/shared/nats'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const HELM = join(ROOT, 'deploy/helm')

test('the chart starts the version that it comes with', () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const chart = readFileSync(join(HELM, 'placefleet/Chart.yaml'), 'utf8')
  expect(chart).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`)
})

test('the users of the NATS chart have the permissions that coordinators and agents need', () => {
  const values = readFileSync(join(HELM, 'nats-values.yaml'), 'utf8')
  const listed = (name: string) => {
    const lines = values.match(new RegExp(`${name}:\\n((?: +- .*\\n)+)`))?.[1] ?? ''
    return [...lines.matchAll(/- (\S+)/g)].map(([, subject]) => subject)
  }
  expect({ publish: listed('publish'), subscribe: listed('subscribe') }).toEqual(AGENT_PERMISSIONS)
})

test.each(['observability/rules.yaml', 'images/seccomp-chromium.json'])(
  'the chart holds $0 (npm run generate)',
  (file) => {
    expect(readFileSync(join(HELM, 'placefleet/files', basename(file)), 'utf8')).toBe(
      readFileSync(join(ROOT, 'deploy', file), 'utf8'),
    )
  },
)
