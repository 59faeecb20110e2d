// npm run build:packages: makes what others install, in dist/packages.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCli } from './cli.ts'
import { buildClient } from './client.ts'
import { packed } from './pack.ts'

const TARGET = join(import.meta.dirname, '../../dist/packages')

await rm(TARGET, { recursive: true, force: true })
await mkdir(TARGET, { recursive: true })
for (const build of [buildClient, buildCli]) console.log(await packed(await build(TARGET), TARGET))
