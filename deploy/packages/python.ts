import { copyFile, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, run } from './pack.ts'

const SOURCES = join(ROOT, 'coordinator/clients/python')

/** The tools of Python live beside the packages of npm, and stay for the next build. */
const TOOLS = join(ROOT, 'node_modules/.cache/python-build')

const WITHOUT_PYTHON =
  'The Python package needs Python 3.11 or newer with venv (Debian: apt install python3-venv). ' +
  '`npm run build:packages -- npm` makes only the packages of npm.'

/** @throws Error that says what to install when this machine has no Python, or none that makes environments. */
async function makeEnvironment(): Promise<void> {
  try {
    await run('python3', ['-m', 'venv', TOOLS])
  } catch (cause) {
    throw new Error(WITHOUT_PYTHON, { cause })
  }
}

/** Builds the Python package `placefleet`: a wheel and an sdist in `packages`. */
export async function buildPython(packages: string): Promise<{ wheel: string; sdist: string }> {
  const target = join(packages, 'python')
  const isSource = (path: string) => !/__pycache__|_cache$|egg-info/.test(path)
  await cp(SOURCES, target, { recursive: true, filter: isSource })
  await copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
  await makeEnvironment()
  const python = join(TOOLS, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '--quiet', 'build==1.6.1', 'hatchling==1.33.0'])
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', packages, target])
  const files = await readdir(packages)
  const ending = (end: string) => join(packages, files.find((name) => name.endsWith(end)) ?? end)
  return { wheel: ending('.whl'), sdist: ending('.tar.gz') }
}
