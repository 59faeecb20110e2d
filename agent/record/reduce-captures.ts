import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createPseudonyms } from './pseudonyms.ts'
import { readAnswer } from './read-answer.ts'
import { reduceAnswer, withPseudonyms } from './reduce.ts'

// node agent/record/reduce-captures.ts FOLDER [NAME…]: see captures/README.md

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of recordings: reduce-captures.ts FOLDER [NAME…]')
const pseudonyms = createPseudonyms()
const NOW = Date.UTC(2026, 10, 20)

const recordings = readdirSync(folder)
  .filter((name) => (chosen.length === 0 ? /\.(json|txt|html)$/.test(name) : chosen.includes(name)))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
for (const { name, text } of recordings)
  pseudonyms.learn(isExpectation(name) ? JSON.parse(text) : readAnswer(text, NOW))
for (const { name, text } of recordings) {
  const reduced = isExpectation(name)
    ? JSON.stringify(withPseudonyms(JSON.parse(text), pseudonyms), null, 1)
    : reduceAnswer(text, pseudonyms, NOW)
  if (reduced === undefined) {
    throw new Error(`The parsers read ${name} otherwise once it is reduced. It was not written.`)
  }
  writeFileSync(join(import.meta.dirname, 'captures', `${name}.gz`), gzipSync(reduced, { level: 9 }))
}

function isExpectation(name: string): boolean {
  return /\.(expected|facts|parts)\.json$/.test(name)
}
