import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { makeDir, privateDir } from '@placefleet/shared/private-dir'
import { chromium } from 'playwright'
import { type ChromiumProgram, unpackChromium } from './unpack-chromium.ts'

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
  const installed = installedByUser(env) ?? (await onPath(env))
  if (installed) return { executablePath: installed, env: {} }
  try {
    return await unpackChromium(cacheDir)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`No Chromium: ${why}. Install one, or set CHROMIUM_PATH to its program.`, { cause })
  }
}

function installedByUser(env: NodeJS.ProcessEnv): string | undefined {
  const given = env.CHROMIUM_PATH
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`)
  return given || [chromium.executablePath()].find(existsSync)
}

async function onPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const directories = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  for (const candidate of NAMES.flatMap((name) => directories.map((dir) => join(dir, name)))) {
    if (existsSync(candidate) && (await runs(candidate))) return candidate
  }
  return undefined
}

/** On some systems a script of that name only tells how to install the program. */
function runs(program: string): Promise<boolean> {
  return promisify(execFile)(program, ['--version'], { timeout: VERSION_WITHIN_MS }).then(
    () => true,
    () => false,
  )
}

/** This user's cache directory. A user without a home (a service, a container) gets one in the temporary directory. */
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
