import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './harness/source-files.ts'

// Biome holds that no file imports itself by way of others and how long a file is (biome.json), knip that nothing is
// there that nothing uses (knip.json).

const ROOT = join(import.meta.dirname, '..')
const CLIENT = 'coordinator/clients/typescript'
const CLI = 'coordinator/clients/cli'
const CONSOLE = 'coordinator/console/src'

/**
 * What each part may import besides itself (the table of parts in ARCHITECTURE.md). The first three run at customers.
 */
const PARTS: Record<string, readonly string[]> = {
  [CLIENT]: [],
  [CLI]: [CLIENT, 'shared'],
  [CONSOLE]: [CLIENT, 'shared'],
  bin: [],
  proto: [],
  shared: ['proto'],
  coordinator: [CONSOLE, 'shared', 'proto'],
  agent: ['shared', 'proto'],
  deploy: ['bin', 'agent', 'coordinator', CLIENT, CLI, 'shared', 'proto'],
  test: ['bin', 'deploy', 'agent', 'coordinator', CLIENT, CLI, CONSOLE, 'shared', 'proto'],
}

/** Within a part, a room imports only those before it. A call upwards is a callback that is handed down. */
const ROOMS = {
  coordinator: [
    ...[
      'clients',
      'mongo',
      'http',
      'dashboard',
      'guides',
      'towns',
      'secrets',
      'accounts',
      'support',
      'billing',
      'auth',
    ],
    ...['webhooks', 'results', 'known-places', 'tasks', 'coverage', 'jobs', 'monitors', 'exits', 'fleet', 'backup'],
    ...['process', 'operator', 'console', 'mcp'],
  ],
  agent: [
    ...['egress', 'browser', 'maps/urls', 'maps/answers', 'maps/requests', 'maps/photos', 'maps/reviews', 'maps/place'],
    ...['maps/search', 'website', 'drift', 'collect', 'fleet', 'doctor', 'record'],
  ],
}

const GENERATED = ['proto/gen/', `${CLIENT}/schema.d.ts`]
const sources = sourceFiles(ROOT, ['*/**/*.ts', '*/**/*.tsx'])
  .filter((file) => !GENERATED.some((place) => file.startsWith(place)))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

type Import = { readonly file: string; readonly names: string; readonly path: string }

/** `names`: what stands between `import` and `from`. */
const imports = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:(?:^|\n)(?:im|ex)port (?:([^'"]*?)from\s*)?|import\()'([^']+)'/g)].flatMap(
    ([, names = '', specifier = '']): Import[] => {
      const path = pathOf(file, specifier)
      return path === undefined ? [] : [{ file, names, path }]
    },
  ),
)

/** A package has the name of its folder, except clients. Undefined for packages of others. */
function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file), specifier))
  const [, path] = /^@placefleet\/(.*)/.exec(specifier) ?? []
  return path?.replace(/^client\b/, CLIENT).replace(/^cli\b/, CLI)
}

const arrows = (wrong: (one: Import) => boolean) => imports.filter(wrong).map(({ file, path }) => `${file} → ${path}`)

test('a part imports only what lies below it', () => {
  const partOf = (path: string) => Object.keys(PARTS).find((part) => `${path}/`.startsWith(`${part}/`)) ?? ''
  const isWrong = ({ file, path }: Import) => ![partOf(file), ...(PARTS[partOf(file)] ?? [])].includes(partOf(path))
  expect(arrows(isWrong)).toEqual([])
  expect(imports.length).toBeGreaterThan(5_000)
})

test.each(Object.entries(ROOMS))('within %s imports run one way, and every folder has its place', (part, rooms) => {
  const room = (path: string) => rooms.findIndex((name) => path.startsWith(`${part}/${name}/`))
  const inFolders = sources.map(({ file }) => file).filter((file) => new RegExp(`^${part}/.+/`).test(file))
  expect(inFolders.filter((file) => room(file) < 0)).toEqual([])
  expect(arrows(({ file, path }) => room(file) >= 0 && room(path) > room(file))).toEqual([])
})

const roomOf = (path: string) => /^coordinator\/([^/]+)\//.exec(path)?.[1]
const isForeign = ({ file, path }: Import) => roomOf(file) !== undefined && roomOf(path) !== roomOf(file)

/** The collections of a room, and their indexes: `jobsOf`, `jobsBy`. */
const COLLECTIONS = /\b(?!for)\w+s(?:Of|By)\b|\bledger(?:Entries|By)\b/

/** Opens a collection, or declares its indexes, by its name. */
const OPENED = /\b(?:collection(?:<[^(]*>)?\(db, |db\.collection(?:<[^(]*>)?\(|indexesOf\()'(\w+)'/g

test('the collections of a room are read and written there alone', () => {
  const isDocuments = ({ path }: Import) => /\/(documents|proxies)\.ts$/.test(path)
  expect(imports.filter((one) => isForeign(one) && isDocuments(one) && COLLECTIONS.test(one.names))).toEqual([])
  const opened = sources.flatMap(({ file, text }) =>
    [...text.matchAll(OPENED)].map(([, name]) => ({ name, room: roomOf(file) })),
  )
  const owned = opened.filter(({ room }) => room !== undefined && room !== 'backup') // it copies all, as bytes
  const rooms = [...Map.groupBy(owned, ({ name }) => name).values()].map(
    (places) => new Set(places.map(({ room }) => room)),
  )
  expect(rooms.length).toBeGreaterThan(25)
  expect(rooms.filter(({ size }) => size > 1)).toEqual([])
})

test('routes are shells: only `api.ts` and the routes of the same room import them', () => {
  const isRoutes = (path: string) => /^coordinator\/.*[/-]routes\.ts$/.test(path)
  const isWrong = (one: Import) => isRoutes(one.path) && (isForeign(one) || !isRoutes(one.file))
  expect(
    arrows((one) => one.file.startsWith('coordinator/') && one.file !== 'coordinator/api.ts' && isWrong(one)),
  ).toEqual([])
})

/** Text that no other file of a place has. */
const RESERVED = [
  {
    rule: 'a loop never awaits the end of what it starts: only workers take due work',
    place: /^coordinator\/(?!console)/,
    text: /\btakeDue\(|\b(?:queue|Queue)\.take(?:Fairly|One)?\(/,
    files: [
      'coordinator/mongo/due-workers.ts',
      'coordinator/webhooks/deliveries/dispatch.ts',
      'coordinator/billing/purchases/stripe/sweep.ts',
    ],
  },
  {
    rule: 'queries name their index with `using`, so that they do without it until it is built',
    place: /^coordinator\/(?!console)/,
    text: /\bhint: |(?<!\$)[{,]\s*hint\s*[,}]|\.hint\(/,
    files: ['coordinator/mongo/indexes.ts', 'coordinator/backup/archive.ts'],
  },
  {
    rule: 'a test is skipped only through a helper that names what the machine lacks',
    place: /^test\//,
    text: /\b(describe|test|it)\.(skip|skipIf|runIf|todo)\(/,
    files: ['test/harness/needs.ts'],
  },
  {
    rule: 'the title of a table of tests says what each row promises',
    place: /\.test\.ts$/,
    text: /\btest\.each\b(?:(?!\n\n|\)\([\s'`]).|\n)*\)\(\s*(['`])(?:(?:with|for|of|in|at|by) )?(?:%\w|\$[\w.]+|[\s:,()→])+\1,/,
    files: [],
  },
  {
    rule: 'no literal is spread into a literal, which hides its fields from a search',
    place: /./,
    text: /[{,]\s*\.\.\.\{/,
    files: [],
  },
]

test.each(RESERVED)('in the sources $rule', ({ place, text, files }) => {
  const found = sources.filter((source) => place.test(source.file) && text.test(source.text))
  expect(found.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

test('every file that a page of the architecture names exists', () => {
  const roots = ['', 'coordinator', 'agent', 'test', 'test/harness', 'deploy']
  const wrong = sourceFiles(ROOT, ['ARCHITECTURE.md', '**/README.md']).flatMap((page) => {
    const names = readFileSync(join(ROOT, page), 'utf8').matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*\.tsx?)`/g)
    const isThere = (name: string) => [dirname(page), ...roots].some((root) => existsSync(join(ROOT, root, name)))
    return [...names].flatMap(([, name = '']) => (isThere(name) ? [] : `${page}: ${name}`))
  })
  expect(wrong).toEqual([])
})
