import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { describePackage, ESM, ROOT, readManifest } from './pack.ts'

const SOURCES = join(ROOT, 'coordinator/clients/cli')

/** Builds `placefleet`, the command line: one file with everything that it needs. Returns its folder. */
export async function buildCli(packages: string): Promise<string> {
  const target = join(packages, 'placefleet')
  const bundle = await rolldown({
    input: join(SOURCES, 'main.ts'),
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
  })
  const file = join(target, 'placefleet.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false, minify: { compress: true, mangle: false } })
  await bundle.close()
  await chmod(file, 0o755)
  const { version, description } = await readManifest(SOURCES)
  await describePackage(target, SOURCES, {
    name: 'placefleet',
    version,
    description,
    ...ESM,
    keywords: ['placefleet', 'places', 'business listings', 'cli', 'mcp'],
    files: ['placefleet.mjs', 'CHANGELOG.md'],
    bin: { placefleet: 'placefleet.mjs' },
  })
  return target
}
