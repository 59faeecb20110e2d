import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingNamesModule, withSettingNames } from '@placefleet/deploy/reference/names'
import { settingsPage } from '@placefleet/deploy/reference/settings-page'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = join(ROOT, 'coordinator/guides/settings.md')

test('the settings page lists all settings of the programs; `npm run generate` writes it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(settingsPage())
})

test('every program and the schema of the chart know the names of all settings; `npm run generate` writes them', () => {
  expect(readFileSync(join(ROOT, 'shared/setting-names.ts'), 'utf8')).toBe(settingNamesModule())
  const schema = readFileSync(join(ROOT, 'deploy/helm/placefleet/values.schema.json'), 'utf8')
  expect(schema).toBe(withSettingNames(schema))
  expect(schema).toContain('"RATE_FREE": { "$ref": "#/definitions/settingValue" }')
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
