// npm run test:mutation: changes one critical line at a time and expects the nearest tests to fail. See CONTRIBUTING.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { type Copy, makeCopy } from './copy.ts'
import { isApplicable, MUTATIONS } from './list.ts'
import { isSame, type Listed, type Mutation, type Result } from './mutation.ts'
import { killedBefore, recordIn } from './results-file.ts'
import { failingFiles, runTests } from './run-tests.ts'

const USAGE = `Usage: npm run test:mutation -- [--only TEXT] [--workers N] [--results FILE] [--no-baseline] [--check]

  --only TEXT     mutations whose list, file or promise contains the text
  --workers N     how many mutations are tried at once (default: 2)
  --results FILE  appends each result to this file, and leaves out mutations that it says were killed
  --no-baseline   does not run the tests without a mutation first
  --check         only checks that every original text is still found once`

type Options = { only?: string; check?: boolean; workers?: string; results?: string; 'no-baseline'?: boolean }

async function main(options: Options): Promise<number> {
  const { only = '', check, results: file } = options
  const chosen = MUTATIONS.filter(({ list, file, promise }) =>
    [list, file, promise].some((text) => text.includes(only)),
  )
  const stale = chosen.filter((mutation) => !isApplicable(mutation))
  for (const { list, file, promise, original } of stale) {
    console.error(`stale (${list}): ${file}: ${promise}\n  the text is not there exactly once: ${original}`)
  }
  console.error(`${chosen.length} mutations, ${stale.length} stale`)
  if (check || stale.length > 0) return stale.length > 0 ? 1 : 0
  const before = file === undefined ? [] : killedBefore(file, chosen)
  const waiting = chosen.filter((mutation) => !before.some((result) => isSame(result, mutation)))
  if (file !== undefined) console.error(`${before.length} were killed before, ${waiting.length} are tried now`)
  const results = [...before, ...(await runAll(waiting, options))]
  report(results, chosen.length)
  return results.every(({ killedBy }) => killedBy !== undefined) && results.length === chosen.length ? 0 : 1
}

async function runAll(mutations: Listed[], options: Options): Promise<Result[]> {
  const { workers = '2', results: file, 'no-baseline': trusting = false } = options
  const results: Result[] = []
  const copies = Array.from({ length: Number(workers) }, makeCopy)
  try {
    const waiting = trusting ? [...mutations] : await withGreenTests(copies[0]?.dir ?? '', mutations)
    await Promise.all(
      copies.map(async (copy) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const result = { ...next, ...(await tryOne(copy, next)) }
          results.push(result)
          if (file !== undefined) recordIn(file, result)
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

/** Returns the mutations whose tests pass without a mutation. A failing test would kill every mutation. */
async function withGreenTests<One extends Mutation>(dir: string, mutations: One[]): Promise<One[]> {
  const failing = await failingFiles(dir, [...new Set(mutations.flatMap(({ tests }) => tests))])
  for (const file of failing) console.error(`fails without a mutation: ${file}`)
  return mutations.filter(({ tests }) => !failing.some((file) => tests.some((test) => file.startsWith(test))))
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
    const { failed, problem, seconds } = await runTests(dir, tests)
    if (problem !== undefined) console.error(`no test judged the next mutation: ${problem}`)
    return { killedBy: failed, seconds }
  } finally {
    writeFileSync(path, text)
  }
}

function report(results: Result[], chosen: number): void {
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
  if (results.length < chosen) console.log(`${chosen - results.length} not tried, since their tests fail without them`)
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    workers: { type: 'string' },
    results: { type: 'string' },
    'no-baseline': { type: 'boolean' },
    check: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) console.log(USAGE)
else process.exitCode = await main(values)
