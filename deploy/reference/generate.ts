// npm run generate: writes what is derived from schemas: the guides of settings, fields, errors and events, the names of
// settings that every program knows, and those in the schema of the chart's values. Copies the files of other folders that the chart holds.
// Writes the blocking half of the Python client, which is the asynchronous one without `async`.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SYNC_FOLDER, syncFiles } from '../packages/python-sync.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { fieldsPage } from './fields-page.ts'
import { settingNamesModule, withSettingNames } from './names.ts'
import { settingsPage } from './settings-page.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDES = join(ROOT, 'coordinator/guides')
const VALUES_SCHEMA = join(ROOT, 'deploy/helm/placefleet/values.schema.json')

writeFileSync(join(GUIDES, 'settings.md'), settingsPage())
writeFileSync(join(GUIDES, 'fields.md'), fieldsPage())
writeFileSync(join(GUIDES, 'errors.md'), errorsPage())
writeFileSync(join(GUIDES, 'events.md'), eventsPage())
writeFileSync(join(ROOT, 'shared/setting-names.ts'), settingNamesModule())
for (const file of ['observability/rules.yaml', 'images/seccomp-chromium.json'])
  copyFileSync(join(ROOT, 'deploy', file), join(ROOT, 'deploy/helm/placefleet/files', basename(file)))
writeFileSync(VALUES_SCHEMA, withSettingNames(readFileSync(VALUES_SCHEMA, 'utf8')))

rmSync(SYNC_FOLDER, { recursive: true, force: true })
mkdirSync(SYNC_FOLDER)
for (const [name, source] of syncFiles()) writeFileSync(join(SYNC_FOLDER, name), source)
