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

/** What the two packages for programs have in common. */
export const ESM = { type: 'module', sideEffects: false, engines: { node: '>=20.12' } }

/**
 * Where the sources are, which npm compares with where the package was built. GitHub names it in its workflows; a package
 * that is built elsewhere is published without provenance.
 */
function publishedFrom(): object {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return { publishConfig: { access: 'public' } }
  const url = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  return {
    publishConfig: { access: 'public', provenance: true },
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: url,
    bugs: `${url}/issues`,
  }
}

/** Writes the manifest of a published package, and puts its page and the licence beside it. */
export async function describePackage(target: string, sources: string, manifest: object): Promise<void> {
  const whole = { ...manifest, license: 'MIT', ...publishedFrom() }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(whole, undefined, 2)}\n`)
  await copyFile(join(sources, 'README.md'), join(target, 'README.md'))
  await copyFile(join(sources, 'CHANGELOG.md'), join(target, 'CHANGELOG.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
}

/** Packs a package into a tarball in `target`, and returns its path. */
export async function packed(folder: string, target: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder })
  return join(target, stdout.trim())
}
