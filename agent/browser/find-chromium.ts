import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDir, privateDir } from '@placefleet/shared/private-dir'
import { z } from 'zod'
import { type ChromiumProgram, packagedVersion, unpackChromium } from './unpack-chromium.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const VERSION_WITHIN_MS = 15_000

/**
 * Finds a Chromium: CHROMIUM_PATH, else the one Playwright has installed, else one on the PATH that runs, else the npm
 * package's, unpacked below `cacheDir` (default: this user's cache directory).
 * @throws Error that names CHROMIUM_PATH when there is none.
 */
export async function findChromium({
  env = process.env,
  cacheDir = userCacheDir(env),
}: {
  env?: NodeJS.ProcessEnv
  cacheDir?: string
} = {}): Promise<ChromiumProgram> {
  const installed = (await installedByUser(env)) ?? (await chromiumOnPath(env))
  if (installed) return { executablePath: installed, env: {} }
  try {
    return await unpackChromium(cacheDir)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`No Chromium: ${why}. Install one, or set CHROMIUM_PATH to its program.`, { cause })
  }
}

async function installedByUser(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const path = env.CHROMIUM_PATH
  if (path && !existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`)
  const { chromium } = await import('playwright') // loads 60 MB, which an agent on plain HTTP never needs
  return path || [chromium.executablePath()].find(existsSync)
}

/**
 * Returns the version of the Chromium that `findChromium` finds, e.g. `153.0.8010.0` or `153.0.0`. Does not launch or
 * unpack it, and does not load Playwright. Without any Chromium, e.g. for an agent on plain HTTP, returns the version
 * that Playwright would install.
 */
export async function installedVersion(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const version = env.CHROMIUM_PATH ? await versionOf(env.CHROMIUM_PATH) : undefined
  if (version) return version
  const ofPlaywright = playwrightVersion(env)
  if (ofPlaywright) return ofPlaywright
  const program = await chromiumOnPath(env)
  const ofProgram = program && (await versionOf(program))
  return ofProgram ?? (await packagedVersion()) ?? cataloguedVersion()
}

const Catalogue = z.object({
  browsers: z.array(z.object({ name: z.string(), revision: z.string(), browserVersion: z.string().optional() })),
})

/** Returns the Chromium that this version of Playwright installs, from its catalogue. */
function catalogued() {
  const root = dirname(fileURLToPath(import.meta.resolve('playwright-core/package.json')))
  const { browsers } = Catalogue.parse(JSON.parse(readFileSync(join(root, 'browsers.json'), 'utf8')))
  return browsers.find(({ name }) => name === 'chromium')
}

/** Returns the version of the Chromium that Playwright has installed for this user, if it has. */
function playwrightVersion(env: NodeJS.ProcessEnv): string | undefined {
  const chromium = catalogued()
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  const installed = env.PLAYWRIGHT_BROWSERS_PATH || join(cache, 'ms-playwright')
  return chromium && existsSync(join(installed, `chromium-${chromium.revision}`)) ? chromium.browserVersion : undefined
}

/** Returns the version of the Chromium that Playwright would install. */
export function cataloguedVersion(): string {
  const version = catalogued()?.browserVersion
  if (version === undefined) throw new Error('The catalogue of Playwright names no version of Chromium.')
  return version
}

/** Returns the first Chromium on the PATH that runs. */
export async function chromiumOnPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const directories = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  for (const candidate of NAMES.flatMap((name) => directories.map((dir) => join(dir, name)))) {
    // Whether a program runs. On some systems a script of that name only explains how to install it.
    if (existsSync(candidate) && (await versionOf(candidate))) return candidate
  }
  return undefined
}

/** Returns the version that a program says it has. Undefined when it does not run. */
function versionOf(program: string): Promise<string | undefined> {
  return promisify(execFile)(program, ['--version'], { timeout: VERSION_WITHIN_MS }).then(
    ({ stdout }) => /\d+(?:\.\d+)+/.exec(stdout)?.[0],
    () => undefined,
  )
}

/**
 * Returns this user's cache directory. For a user without a home (a service, a container) it is in the temporary
 * directory.
 */
function userCacheDir(env: NodeJS.ProcessEnv): string {
  const preferred = join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'placefleet')
  try {
    makeDir(preferred)
    accessSync(preferred, constants.W_OK)
    return preferred
  } catch {
    return privateDir(join(tmpdir(), `placefleet-cache-${process.getuid?.() ?? 'user'}`))
  }
}
