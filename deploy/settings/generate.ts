// npm run generate: writes what is derived from the schemas of the settings: the page deploy/SETTINGS.md, the names that
// every program knows, and the names in the schema of the chart's values.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingNamesModule, withSettingNames } from './names.ts'
import { settingsPage } from './page.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const VALUES_SCHEMA = join(ROOT, 'deploy/helm/placefleet/values.schema.json')

writeFileSync(join(ROOT, 'deploy/SETTINGS.md'), settingsPage())
writeFileSync(join(ROOT, 'shared/setting-names.ts'), settingNamesModule())
writeFileSync(VALUES_SCHEMA, withSettingNames(readFileSync(VALUES_SCHEMA, 'utf8')))
