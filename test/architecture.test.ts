import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './harness/source-files.ts'

const ROOT = join(import.meta.dirname, '..')
const GENERATED = ['proto/gen/', 'coordinator/clients/typescript/schema.d.ts']
const sources = sourceFiles(ROOT, ['**/*.ts', '**/*.tsx']).filter(
  (file) => !GENERATED.some((place) => file.startsWith(place)),
)

/** What each part may import besides itself (the table of parts in ARCHITECTURE.md). */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: ['proto'],
  coordinator: ['shared', 'proto'],
  agent: ['shared', 'proto'],
  deploy: ['bin', 'agent', 'coordinator', 'shared', 'proto'],
  test: ['bin', 'deploy', 'agent', 'coordinator', 'shared', 'proto'],
}

/** Within the coordinator: a room imports only those before it. A call upwards is a callback that is handed down. */
const COORDINATOR_ORDER = [
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
  'webhooks',
  'results',
  'known-places',
  'tasks',
  'coverage',
  'jobs',
  'monitors',
  'exits',
  'fleet',
  'backup',
  'process',
  'operator',
  'console',
  'mcp',
]

const CLIENT = 'coordinator/clients/typescript'
const CLI = 'coordinator/clients/cli'

/** What runs at a customer, and what of ours it may import: never the server. */
const OUTSIDE: Record<string, readonly string[]> = {
  [CLIENT]: [],
  [CLI]: [CLIENT, 'shared'],
  'coordinator/console/src': [CLIENT, 'shared'],
}

/** The same within the agent. `maps` has its own folders: first the shared ones, then one per topic. */
const AGENT_ORDER = [
  'egress',
  'browser',
  'maps/urls',
  'maps/answers',
  'maps/requests',
  'maps/photos',
  'maps/reviews',
  'maps/place',
  'maps/search',
  'website',
  'drift',
  'collect',
  'fleet',
  'doctor',
  'record',
]

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Returns the files that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  const text = textOf(file)
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('.')) return [relative(ROOT, join(ROOT, dirname(file), specifier))]
    return specifier.startsWith('@placefleet/') ? [pathOf(specifier.slice('@placefleet/'.length))] : []
  })
}

/** A package has the name of its folder, except code that runs at a customer. */
function pathOf(name: string): string {
  if (name === 'client') return `${CLIENT}/client`
  return name.replace(/^client\//, `${CLIENT}/`).replace(/^cli\//, `${CLI}/`)
}

const partOf = (path: string): string => path.split('/')[0] ?? ''

test.each(Object.entries(MAY_IMPORT))('%s imports only what lies below it', (part, allowed) => {
  const wrong = sources
    .filter((file) => partOf(file) === part)
    .flatMap((file) => importsOf(file).map((imported) => `${file} → ${imported}`))
    .filter((arrow) => ![part, ...allowed].includes(partOf(arrow.split(' → ')[1] ?? '')))
  expect(wrong).toEqual([])
})

test('within the coordinator imports run one way', () => {
  const room = (path: string) => COORDINATOR_ORDER.indexOf(path.split('/')[1] ?? '')
  const wrong = sources
    .filter((file) => file.startsWith('coordinator/') && room(file) >= 0)
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([file, imported]) => imported.startsWith('coordinator/') && room(imported) > room(file))
    .map((arrow) => arrow.join(' → '))
  expect(wrong).toEqual([])
})

/** The declaration of a collection, or of its indexes. */
const DECLARED = /export const (\w+)(?: = \(db: Db\): Collection<|(?<=By) = (?:indexesOf\(|\{))/g

/** The name of a collection that is opened here, or whose indexes are declared here. */
const OPENED = /\b(?:collection(?:<[^(]*>)?\(db, |db\.collection(?:<[^(]*>)?\(|indexesOf\()'(\w+)'/g

/** It copies every collection, by its name and as bytes. */
const COPIES_ALL = 'backup'

test('the collections of a room are read and written there alone', () => {
  const room = (path: string) => path.split('/')[1] ?? ''
  const files = sources
    .filter((file) => file.startsWith('coordinator/'))
    .map((file) => ({ file, text: textOf(file), imports: importsOf(file) }))
  const declared = files.flatMap(({ file, text }) => [...text.matchAll(DECLARED)].map(([, name]) => ({ file, name })))
  expect(declared.length).toBeGreaterThan(40)
  const foreign = declared.flatMap(({ file: owner, name }) =>
    files
      .filter(({ file, imports }) => room(file) !== room(owner) && imports.includes(owner))
      .filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
      .map(({ file }) => `${file} → ${name}`),
  )
  expect(foreign).toEqual([])

  const opened = files.flatMap(({ file, text }) =>
    [...text.matchAll(OPENED)].map(([, name = '']) => ({ name, room: room(file) })),
  )
  const withOwner = opened.filter(({ room }) => room !== COPIES_ALL)
  const owners = [...Map.groupBy(withOwner, ({ name }) => name)].map(([name, places]) => ({
    name,
    rooms: [...new Set(places.map((place) => place.room))],
  }))
  expect(owners.length).toBeGreaterThan(25)
  expect(owners.filter(({ rooms }) => rooms.length > 1)).toEqual([])
})

test('routes are shells: only `api.ts` and the routes of the same room import them', () => {
  const isRoutes = (path: string) => /(^|[/-])routes(\.ts)?$/.test(path)
  const room = (path: string) => path.split('/')[1]
  const wrong = sources
    .filter((file) => file.startsWith('coordinator/') && file !== 'coordinator/api.ts')
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([, imported]) => imported.startsWith('coordinator/') && isRoutes(imported))
    .filter(([file, imported]) => !(isRoutes(file) && room(file) === room(imported)))
    .map((arrow) => arrow.join(' → '))
  expect(wrong).toEqual([])
})

test.each(Object.entries(OUTSIDE))('%s imports nothing of the server', (folder, allowed) => {
  const wrong = sources
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([, imported]) => ![folder, ...allowed].some((place) => imported.startsWith(`${place}/`)))
    .map((arrow) => arrow.join(' → '))
  expect(wrong).toEqual([])
})

test('within the agent imports run one way', () => {
  const room = (path: string) => AGENT_ORDER.findIndex((name) => path.startsWith(`agent/${name}/`))
  const inRooms = sources.filter((file) => file.startsWith('agent/') && file.split('/').length > 2)
  expect(inRooms.filter((file) => room(file) < 0)).toEqual([])
  const wrong = inRooms
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([file, imported]) => room(imported) > room(file))
    .map((arrow) => arrow.join(' → '))
  expect(wrong).toEqual([])
})

test('no file of the product imports itself by way of others', () => {
  const product = new Set(sources.filter((file) => !file.startsWith('test/')))
  const known = (path: string) => [path, `${path}.ts`].filter((file) => product.has(file))
  const waiting = new Map([...product].map((file) => [file, importsOf(file).flatMap(known)]))
  const isReady = (imports: string[]) => imports.every((imported) => !waiting.has(imported))
  for (let ready = ['']; ready.length > 0; ) {
    ready = [...waiting].filter(([, imports]) => isReady(imports)).map(([file]) => file)
    for (const file of ready) waiting.delete(file)
  }
  expect([...waiting.keys()]).toEqual([]) // those in a cycle, and those that import them
})

/** Takes due work off a queue. */
const TAKES_DUE_WORK = /\btakeDue\(|\b(?:queue|Queue)\.take(?:Fairly|One)?\(/

/**
 * They start the work on what they take, and do not wait for it. Payments wait for one provider, each call within its
 * time.
 */
const MAY_TAKE = [
  'coordinator/mongo/due-workers.ts',
  'coordinator/webhooks/deliveries/dispatch.ts',
  'coordinator/billing/purchases/stripe/sweep.ts',
]

test('a loop never awaits the end of what it starts: only workers take due work', () => {
  const taking = sources.filter((file) => file.startsWith('coordinator/') && TAKES_DUE_WORK.test(textOf(file)))
  expect(taking.toSorted()).toEqual(MAY_TAKE.toSorted())
})

test('the agent and the coordinator meet only in shared and proto', () => {
  const parts = (file: string) => importsOf(file).map(partOf)
  expect(sources.filter((file) => file.startsWith('agent/') && parts(file).includes('coordinator'))).toEqual([])
  expect(sources.filter((file) => file.startsWith('coordinator/') && parts(file).includes('agent'))).toEqual([])
})

/** Packages: what they export is used elsewhere. */
const PUBLISHED = 'coordinator/clients/'

/** A declaration that other files may import. */
const EXPORTED = /^export (?:async )?(?:const|function|class|type|interface)\*? ?(\w+)/gm

test('a file exports only what another file uses, so that its exports are what its room offers', () => {
  const filesWith = new Map<string, number>()
  for (const file of sources) {
    for (const word of new Set(textOf(file).match(/\w+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
  }
  const unused = sources
    .filter((file) => !file.startsWith('test/') && !file.startsWith(PUBLISHED))
    .flatMap((file) =>
      [...textOf(file).matchAll(EXPORTED)]
        .filter(([, name = '']) => filesWith.get(name) === 1)
        .map(([, name]) => `${file} ${name}`),
    )
  expect(unused).toEqual([])
})

test('no file of the product has more than 300 lines', () => {
  const long = sources
    .filter((file) => !file.startsWith('test/'))
    .map((file) => ({ file, lines: textOf(file).split('\n').length }))
    .filter(({ lines }) => lines > 300)
  expect(long).toEqual([])
})

/** A title of a table of tests, with the word that opens the table. */
const TABLE_TITLE = /\b(?:describe|test)(?:\.\w+)*\.each\b|\)\(\s*(['`])(?<title>.*?)\1,/g

/** Says nothing but the row: `'%s'`, `'with %s'`, `'%s: %i'`. */
const ONLY_A_ROW = /^(?:(?:with|for|of|in|at|by) )?(?:%\w|\$[\w.]+|[\s:,()→])+$/

/** Returns the titles of the tables of tests in a text. Groups have none: the tests in them complete theirs. */
function tableTitles(text: string): string[] {
  let opened = ''
  return [...text.matchAll(TABLE_TITLE)].flatMap(({ 0: found, groups }) => {
    if (groups?.title !== undefined) return opened.startsWith('test') ? [groups.title] : []
    opened = found
    return []
  })
}

test('the title of a table of tests says what each row promises', () => {
  const tests = sources.filter((file) => file.endsWith('.test.ts'))
  const titles = tests.flatMap((file) => tableTitles(textOf(file)).map((title) => ({ file, title })))
  expect(titles.length).toBeGreaterThan(100)
  expect(titles.filter(({ title }) => ONLY_A_ROW.test(title))).toEqual([])
})

/** Writes the option of a query, in full or short, or calls the method of a cursor. */
const HINT = /\bhint:|(?<!\$)[{,]\s*hint\s*[,}]|\.hint\(/

/** `using` itself, the backup, which names unique indexes alone, and the console, which has no queries. */
const MAY_HINT = ['coordinator/mongo/indexes.ts', 'coordinator/backup/archive.ts', 'coordinator/console/src/']

test('queries name their index with `using`, so that they do without it until it is built', () => {
  const wrong = sources
    .filter((file) => file.startsWith('coordinator/') && !MAY_HINT.some((place) => file.startsWith(place)))
    .filter((file) => HINT.test(textOf(file)))
  expect(wrong).toEqual([])
})

test('a test is skipped only through a helper that names what the machine lacks', () => {
  const skipping = sources.filter(
    (file) => file.startsWith('test/') && /\b(describe|test|it)\.(skip|skipIf|runIf|todo)\(/.test(textOf(file)),
  )
  expect(skipping).toEqual(['test/harness/needs.ts'])
})

test('every file that a page of the architecture names exists', () => {
  const pages = sourceFiles(ROOT, ['ARCHITECTURE.md', '**/README.md'])
  const roots = ['', 'coordinator', 'agent', 'test', 'test/harness', 'deploy']
  const wrong = pages.flatMap((page) => {
    const names = readFileSync(join(ROOT, page), 'utf8').matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*\.tsx?)`/g)
    return [...names].flatMap(([, name = '']) => {
      const places = [dirname(page), ...roots].map((root) => join(ROOT, root, name))
      return places.some((place) => existsSync(place)) ? [] : `${page}: ${name}`
    })
  })
  expect(wrong).toEqual([])
})

test('no literal is spread into a literal, which hides its fields from a search', () => {
  const spread = /[{,]\s*\.\.\.\{/
  expect(sources.filter((file) => spread.test(textOf(file)))).toEqual([])
})
