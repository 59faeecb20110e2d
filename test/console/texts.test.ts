import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../coordinator/console/src')
const TEXTS = globSync('texts/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('language.ts'))

const sources = globSync('**/*.{ts,tsx}', { cwd: SRC })
  .filter((file) => !file.startsWith('texts/'))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))

/** The files of texts, some of which hold what chooses among them. */
const beside = TEXTS.map((file) => readFileSync(join(SRC, file), 'utf8'))

type Languages = { en: Record<string, unknown>; de: Record<string, unknown> }

/** Returns the texts of all files, by their names. */
async function allTexts(): Promise<[name: string, texts: Languages][]> {
  const modules: Record<string, Languages>[] = await Promise.all(TEXTS.map((file) => import(join(SRC, file))))
  return modules.flatMap((exported) => Object.entries(exported).filter(([name]) => name.endsWith('Texts')))
}

/**
 * Returns the names of all texts, also of those in groups. An empty group has none: its texts in this language are those
 * of the API.
 */
function namesOf(texts: object, other: object): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const counterpart: unknown = Reflect.get(other, name)
    if (typeof text !== 'object' || text === null) return [name]
    if (typeof counterpart !== 'object' || counterpart === null) return [name]
    if (Object.keys(counterpart).length === 0) return []
    return namesOf(text, counterpart).map((inner) => `${name}.${inner}`)
  })
}

/** Returns the names that only one of two languages has. */
const onlyInOne = (one: string[], other: string[]): string[] => [
  ...one.filter((name) => !other.includes(name)),
  ...other.filter((name) => !one.includes(name)),
]

const all = await allTexts()

test('every text is there in English and in German', () => {
  const missing = all.flatMap(([name, { en, de }]) =>
    onlyInOne(namesOf(en, de), namesOf(de, en)).map((key) => `${name}.${key}`),
  )
  expect(missing).toEqual([])
  expect(all.length).toBeGreaterThan(15)
})

test('every text is used', () => {
  const unused = all.flatMap(([name, { en }]) => {
    const users = sources.filter((source) => new RegExp(`\\b${name}\\b`).test(source))
    const isUsed = (key: string) =>
      users.some((source) => new RegExp(`(?<![\\w-])${key}(?![\\w-])`).test(source)) ||
      sources.some((source) => new RegExp(`'${key}'|\\b${key}: string`).test(source)) || // passed on by name
      beside.some((source) => new RegExp(`[.{,] *${key}\\b(?!:)`).test(source))
    return Object.keys(en)
      .filter((key) => !isUsed(key))
      .map((key) => `${name}.${key}`)
  })
  expect(unused).toEqual([])
})

test('no German text is the English one, except for words that both have', () => {
  const texts = (of: Record<string, unknown>) => JSON.stringify(of)
  const same = all.flatMap(([name, { en, de }]) =>
    Object.keys(en)
      .filter((key) => typeof en[key] === 'string' && texts({ text: en[key] }) === texts({ text: de[key] }))
      .filter((key) => !IN_BOTH.has(String(en[key])))
      .map((key) => `${name}.${key}: ${en[key]}`),
  )
  expect(same).toEqual([])
})

const IN_BOTH = new Set([
  ...['OK', 'Problem'],
  ...[
    'Agent',
    'Browser',
    'Credits',
    'Monitor',
    'Name',
    'Status',
    'Token',
    'URL',
    'Version',
    'Webhooks',
    'Website',
    'Websites',
  ],
  'Natural Earth · GeoNames (CC BY 4.0)',
])
