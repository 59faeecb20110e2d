// npm run build:packages: makes what others install, in dist/packages. With `-- npm`, only the packages of npm; those
// of Python need Python 3.11 with venv.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCli } from './cli.ts'
import { buildClient } from './client.ts'
import { buildN8n } from './n8n.ts'
import { packed } from './pack.ts'
import { buildPython } from './python.ts'

const TARGET = join(import.meta.dirname, '../../dist/packages')

await rm(TARGET, { recursive: true, force: true })
await mkdir(TARGET, { recursive: true })
for (const build of [buildClient, buildCli, buildN8n]) console.log(await packed(await build(TARGET), TARGET))
if (process.argv[2] !== 'npm') for (const file of Object.values(await buildPython(TARGET))) console.log(file)
