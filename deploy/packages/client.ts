import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { install } from '../../bin/install.mjs'
import { describePackage, ESM, ROOT, readManifest, run } from './pack.ts'

const SOURCES = join(ROOT, 'coordinator/clients/typescript')

/** Builds `@placefleet/client`: modules and their types, without a bundler. Returns its folder. */
export async function buildClient(packages: string): Promise<string> {
  const target = join(packages, 'client')
  const dist = join(target, 'dist')
  install('test/check')
  const tsc = join(ROOT, 'test/check/node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '--project', join(SOURCES, 'tsconfig.build.json'), '--outDir', dist])
  await copyFile(join(SOURCES, 'schema.d.ts'), join(dist, 'schema.d.ts')) // the compiler copies no declarations
  const { version, description, dependencies } = await readManifest(SOURCES)
  await describePackage(target, SOURCES, {
    name: '@placefleet/client',
    version,
    description,
    ...ESM,
    keywords: ['placefleet', 'places', 'business listings', 'api client'],
    files: ['dist', 'CHANGELOG.md'],
    exports: {
      '.': { types: './dist/client.d.ts', default: './dist/client.js' },
      './webhooks': { types: './dist/webhooks.d.ts', default: './dist/webhooks.js' },
      './schema': { types: './dist/schema.d.ts' },
      './package.json': './package.json',
    },
    dependencies,
  })
  return target
}
