import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/** Runs a program to its end. @throws an error with its output when it fails. */
export const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../..')

const Manifest = z.object({
  version: z.string(),
  description: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** Returns what a published package takes from the manifest of its sources. */
export const readManifest = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))

/** Writes the manifest of a published package, and puts its page and the licence beside it. */
export async function describePackage(target: string, sources: string, manifest: object): Promise<void> {
  const common = {
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.12' },
    publishConfig: { access: 'public', provenance: true },
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify({ ...manifest, ...common }, undefined, 2)}\n`)
  await copyFile(join(sources, 'README.md'), join(target, 'README.md'))
  await copyFile(join(sources, 'CHANGELOG.md'), join(target, 'CHANGELOG.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
}

/** Packs a package into a tarball in `target`, and returns its path. */
export async function packed(folder: string, target: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder })
  return join(target, stdout.trim())
}
