import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { batchMessage, isGuarded, parseBody } from '@placefleet/agent/maps/answers/body'
import { reducePage } from './page.ts'
import { createPseudonyms } from './pseudonyms.ts'
import { watch } from './reads.ts'
import { REVIEWS, readAnswer, readState, readValue } from './results.ts'

// node test/agent/maps/recordings/reduce.ts FOLDER [NAME…]: see README.md

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of recordings: reduce.ts FOLDER [NAME…]')
const pseudonyms = createPseudonyms()
const GUARD = ")]}'\n"

const recordings = readdirSync(folder)
  .filter((name) => (chosen.length === 0 ? /\.(json|txt|html)$/.test(name) : chosen.includes(name)))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
for (const { name, text } of recordings) pseudonyms.learn(isExpectation(name) ? JSON.parse(text) : readAnswer(text))
for (const { name, text } of recordings) {
  const reduced = isExpectation(name) ? JSON.stringify(replaceIn(JSON.parse(text)), null, 1) : reduceAnswer(text)
  if (!isExpectation(name) && !isDeepStrictEqual(readAnswer(reduced), replaceIn(readAnswer(text)))) {
    throw new Error(`The parsers read ${name} otherwise once it is reduced. It was not written.`)
  }
  writeFileSync(join(import.meta.dirname, `${name}.gz`), gzipSync(reduced, { level: 9 }))
}

function isExpectation(name: string): boolean {
  return /\.(expected|facts|parts)\.json$/.test(name)
}

function reduceAnswer(text: string): string {
  if (text.trimStart().startsWith('<')) return reducePage(text, pseudonyms.replace, reduceState)
  const reviews = batchMessage(text, REVIEWS)
  if (reviews !== undefined) {
    return `${GUARD}\n1\n${JSON.stringify([['wrb.fr', REVIEWS, JSON.stringify(reduceValue(reviews))]])}\n`
  }
  return (isGuarded(text) ? GUARD : '') + JSON.stringify(reduceValue(parseBody(text)))
}

function reduceValue(value: unknown): unknown {
  const watched = watch(value)
  readValue(watched.view)
  return watched.masked(pseudonyms.replace)
}

function reduceState(state: unknown): unknown {
  const watched = watch(state)
  readState(watched.view)
  return watched.masked((text) =>
    isGuarded(text) ? GUARD + JSON.stringify(reduceValue(parseBody(text))) : pseudonyms.replace(text),
  )
}

function replaceIn(value: unknown): unknown {
  if (typeof value === 'string') return pseudonyms.replace(value)
  if (Array.isArray(value)) return value.map(replaceIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceIn(member)]))
}
