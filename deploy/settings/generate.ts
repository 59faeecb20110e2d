// npm run generate: writes deploy/SETTINGS.md from the schemas of the settings.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from './page.ts'

writeFileSync(join(import.meta.dirname, '..', 'SETTINGS.md'), settingsPage())
