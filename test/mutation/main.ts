// npm run test:mutation: changes one critical line at a time and expects the nearest tests to fail. See CONTRIBUTING.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { type Copy, makeCopy } from './copy.ts'
import { admission } from './list/admission.ts'
import { chains } from './list/chains.ts'
import { guards } from './list/guards.ts'
import { leases } from './list/leases.ts'
import { lifecycle } from './list/lifecycle.ts'
import { money } from './list/money.ts'
import type { Mutation } from './mutation.ts'
import { runTests } from './run-tests.ts'

const LISTS: Record<string, Mutation[]> = { money, lifecycle, leases, chains, guards, admission }
const WORKERS = 2
const USAGE = `Usage: npm run test:mutation -- [--only TEXT] [--check]

  --only TEXT  mutations whose list, file or promise contains the text
  --check      only checks that every original text is still found once`

type Result = Mutation & { list: string; killedBy: string | undefined; seconds: number }

async function main(only = '', checkOnly: boolean): Promise<number> {
  const all = Object.entries(LISTS).flatMap(([list, mutations]) => mutations.map((mutation) => ({ list, ...mutation })))
  const chosen = all.filter(({ list, file, promise }) => [list, file, promise].some((text) => text.includes(only)))
  const stale = chosen.filter((mutation) => !isApplicable(mutation))
  for (const { list, file, promise, original } of stale) {
    console.error(`stale (${list}): ${file}: ${promise}\n  the text is not there exactly once: ${original}`)
  }
  console.error(`${chosen.length} mutations, ${stale.length} stale`)
  if (checkOnly || stale.length > 0) return stale.length > 0 ? 1 : 0
  const results = await runAll(chosen)
  report(results)
  return results.every(({ killedBy }) => killedBy !== undefined) ? 0 : 1
}

const textOf = (dir: string, file: string): string => readFileSync(join(dir, file), 'utf8')

const isApplicable = ({ file, original }: Mutation): boolean => {
  try {
    return textOf(join(import.meta.dirname, '..', '..'), file).split(original).length === 2
  } catch {
    return false // the file was moved
  }
}

async function runAll(mutations: (Mutation & { list: string })[]): Promise<Result[]> {
  const results: Result[] = []
  const copies = Array.from({ length: WORKERS }, makeCopy)
  const waiting = [...mutations]
  try {
    await expectGreen(copies, [...new Set(mutations.flatMap(({ tests }) => tests))])
    await Promise.all(
      copies.map(async (copy) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const result = { ...next, ...(await tryOne(copy, next)) }
          results.push(result)
          const told = result.killedBy === undefined ? 'SURVIVED' : 'killed'
          console.error(
            `${results.length}/${mutations.length} ${told} ${result.file}: ${result.promise} (${result.seconds.toFixed(1)} s)`,
          )
        }
      }),
    )
  } finally {
    for (const copy of copies) copy.remove()
  }
  return results
}

/** A test that fails without any mutation would kill them all. */
async function expectGreen([copy]: Copy[], tests: string[]): Promise<void> {
  const { failed } = await runTests(copy?.dir ?? '', tests)
  if (failed !== undefined) throw new Error(`the tests fail without a mutation: ${failed}`)
}

async function tryOne(
  { dir }: Copy,
  { file, original, replacement, tests }: Mutation,
): Promise<Pick<Result, 'killedBy' | 'seconds'>> {
  const path = join(dir, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(original, () => replacement),
  )
  try {
    const { failed, seconds } = await runTests(dir, tests)
    return { killedBy: failed, seconds }
  } finally {
    writeFileSync(path, text)
  }
}

function report(results: Result[]): void {
  const table = new Table({
    head: ['list', 'file', 'promise', 'killed by', 's'],
    wordWrap: true,
    colWidths: [11, 38, 50, 60, 6],
  })
  for (const { list, file, promise, killedBy, seconds } of results) {
    table.push([list, file, promise, killedBy ?? 'SURVIVED', seconds.toFixed(0)])
  }
  const killed = results.filter(({ killedBy }) => killedBy !== undefined).length
  console.log(table.toString())
  console.log(`${killed} of ${results.length} killed (${((100 * killed) / results.length).toFixed(1)} %)`)
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help) console.log(USAGE)
else process.exitCode = await main(values.only, values.check === true)
