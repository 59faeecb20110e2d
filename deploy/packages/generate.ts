// npm run generate: writes the blocking half of the Python client, which is the asynchronous one without `async`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SYNC_FOLDER, syncFiles } from './python-sync.ts'

rmSync(SYNC_FOLDER, { recursive: true, force: true })
mkdirSync(SYNC_FOLDER)
for (const [name, source] of syncFiles()) writeFileSync(join(SYNC_FOLDER, name), source)
