import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { findChromium } from '@placefleet/agent/browser/find-chromium'
import type { ChromiumProgram } from '@placefleet/agent/browser/unpack-chromium'
import { type Browser, chromium } from 'playwright'
import { ownChromium } from '../../harness/chromiums.ts'

const MODULES = join(import.meta.dirname, '..', '..', '..', 'node_modules')
const CACHE = join(MODULES, '.cache', 'placefleet')
const WEBGL = join(MODULES, '@sparticuz', 'chromium', 'bin', 'swiftshader.tar.br')

const ARGS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

/** Starts a Chromium that draws maps in software. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await chromiumWithWebGl()
  const inherited = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
  const chromiumSandbox = process.getuid?.() !== 0
  return chromium.launch({ executablePath, env: { ...inherited, ...env }, chromiumSandbox, args: ARGS })
}

/**
 * Returns the Chromium to test with. That of the npm package gets its software WebGL unpacked beside it, which the map
 * needs.
 */
async function chromiumWithWebGl(): Promise<ChromiumProgram> {
  const program = await findChromium({ env: ownChromium(), cacheDir: CACHE })
  const dir = dirname(program.executablePath)
  if (!dir.startsWith(CACHE) || existsSync(join(dir, 'libGLESv2.so'))) return program
  const tar = join(dir, `webgl-${process.pid}.tar`)
  const unpacked = join(dir, `webgl-${process.pid}`)
  await writeFile(tar, await promisify(brotliDecompress)(await readFile(WEBGL)))
  await promisify(execFile)('sh', ['-c', 'mkdir "$1" && tar -xf "$0" -C "$1"', tar, unpacked])
  // The library that is looked for comes last, so that nobody starts a browser before the others are there.
  for (const file of [
    'vk_swiftshader_icd.json',
    'libvulkan.so.1',
    'libvk_swiftshader.so',
    'libEGL.so',
    'libGLESv2.so',
  ]) {
    await rename(join(unpacked, file), join(dir, file))
  }
  await Promise.all([rm(tar), rm(unpacked, { recursive: true })])
  return program
}
