import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from '@placefleet/deploy/settings/page'
import { expect, test } from 'vitest'

const PAGE = join(import.meta.dirname, '..', '..', 'deploy', 'SETTINGS.md')

test('the settings page lists all settings of the programs; `npm run generate` writes it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(settingsPage())
})

test('every secret can be read from a file', () => {
  const rows = settingsPage()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const secrets = rows.filter((row) => /^\| `\w*(TOKEN|KEY|SECRET|PASSWORD|MONGODB_URL|NATS\w*_URL)` /.test(row))
  const inFiles = secrets.filter((row) => !/PEM file/.test(row))
  expect(inFiles.length).toBeGreaterThan(8)
  for (const row of inFiles) expect(row).toContain('| yes |')
})
