// npm run console:build: builds the console unless it is built already.
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { reasonOf } from '@placefleet/shared/command-line'
import { DIST } from './dist.ts'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const SOURCES = ['src', 'base-map', 'towns', 'index.html', 'vite.config.ts', 'build.ts', 'dist.ts', 'package.json']

/** What a console was built from: the hash of all its sources, then the files of other folders that it contains. */
const RECORD = '.sources'

/** Files from this size on are kept compressed as well. */
const COMPRESSED_FROM_BYTES = 1_000
const COMPRESSED = /\.(js|mjs|css|html|pbf|svg)$/

/** Whether the built console is up to date with its sources: this folder, and each file of other folders in it. */
export async function isBuilt(): Promise<boolean> {
  const text = await readFile(join(DIST, RECORD), 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const [hash, ...outside] = text.split('\n')
  return hash === (await hashOfSources(outside))
}

/** Builds into a temporary directory and then replaces `dist`, so that browsers never get an incomplete console. */
async function build(): Promise<void> {
  const ownHash = await hashOfSources([])
  process.env.NODE_ENV = 'production' // in a test, React would be built for development
  const { build: viteBuild } = await import('vite')
  const { packBaseMap } = await import('./base-map/pack.ts')
  const { packTowns } = await import('./towns/pack.ts')
  const dir = await mkdtemp(join(HERE, 'dist.'))
  try {
    const baseMap = `base-map/${ownHash.slice(0, 12)}` // as assets: browsers cache them without a limit
    let outside: string[] = []
    await viteBuild({
      root: HERE,
      plugins: [
        {
          name: 'files-outside',
          buildEnd() {
            outside = filesOutside([...this.getModuleIds()])
          },
        },
      ],
      logLevel: 'error',
      build: { outDir: join(dir, 'site') },
      define: { 'import.meta.env.BASE_MAP': JSON.stringify(`/console/${baseMap}`) },
    })
    await packBaseMap(join(dir, 'site', baseMap))
    await mkdir(join(dir, 'docs'))
    await writeFile(join(dir, 'docs', 'scalar.js.gz'), await compressed(await scalarScript()))
    await compress(join(dir, 'site'))
    await writeFile(join(dir, 'towns.tsv'), packTowns())
    await writeFile(join(dir, RECORD), [await hashOfSources(outside), ...outside].join('\n'))
    await chmod(dir, 0o755) // a temporary directory is readable only by its owner
    await rm(DIST, { recursive: true, force: true })
    await rename(dir, DIST)
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    if (!(await isBuilt())) throw error // else another process was faster
  }
}

/** Returns the script of the API reference. Scalar's package holds it only behind a route of its plugin. */
async function scalarScript(): Promise<string> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const server = fastify()
  await server.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  return (await server.inject('/js/scalar.js')).body
}

/** Returns all files below a directory, sorted. */
async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).sort()
}

/** The modules of a build that are sources of other folders, from the root: `shared/`, the TypeScript client. */
const filesOutside = (ids: readonly string[]): string[] =>
  ids
    .map((id) => id.replace(/\?.*$/, ''))
    .filter((file) => file.startsWith(ROOT + sep) && !file.startsWith(HERE + sep) && !file.includes('node_modules'))
    .map((file) => relative(ROOT, file))
    .sort()

async function hashOfSources(outside: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const source of [...SOURCES.map((name) => join(HERE, name)), ...outside.map((file) => join(ROOT, file))]) {
    const files = await filesOf(source).catch(() => [source]) // the path is a file
    for (const file of files)
      hash
        .update(relative(ROOT, file))
        .update('\0')
        .update(await readFile(file).catch(() => 'removed'))
  }
  return hash.digest('hex')
}

const compressed = (content: string | Buffer): Promise<Buffer> => promisify(gzip)(content, { level: 9 })

async function compress(dir: string): Promise<void> {
  const files = (await filesOf(dir)).filter((file) => COMPRESSED.test(file))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < COMPRESSED_FROM_BYTES) return
      await writeFile(`${file}.gz`, await compressed(content))
    }),
  )
}

/** Vite is a development dependency: an image without it keeps its built console. */
const canBuild = (): boolean => {
  try {
    return import.meta.resolve('vite') !== ''
  } catch {
    return false
  }
}

if (import.meta.main && canBuild() && !(await isBuilt()))
  await build().catch((error: unknown) => {
    const [reason] = reasonOf(error).split('Stack backtrace:') // the bundler's message ends with one
    console.error(`The console could not be built: ${reason?.trim()}`)
    process.exitCode = 1
  })
