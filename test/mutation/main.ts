// npm run test:mutation: lets Stryker change the product line by line, and shows the changes that no test notices.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from '../../bin/install.mjs'
import { makeCopy } from './copy.ts'

const USAGE = `Usage: npm run test:mutation -- [FILES] [--since TIME]

  FILES         product files, such as shared/cell.ts, or some of their lines: shared/cell.ts:20-50
  --since TIME  instead of files: the newest 20 that were committed since then (default: "1 day ago")`

const FOLDER = 'test/mutation'
const PRODUCT = /^(agent|coordinator|shared)\/(?!clients|console).*(?<!\.d)\.ts$/

/** A file takes minutes. */
const MOST_FILES = 20

/** The lowest share of changes that tests notice, in percent, with which the program succeeds. */
const LOWEST_SCORE = 60

function changedSince(time: string): string[] {
  const log = ['log', `--since=${time}`, '--name-only', '--diff-filter=d', '--format=']
  const files = execFileSync('git', log, { encoding: 'utf8' }).split('\n')
  return [...new Set(files)].filter((file) => PRODUCT.test(file)).slice(0, MOST_FILES)
}

/** Returns the tests of its folder that import a file, else all that import it: each change imports them all again. */
function testsOf(file: string): string[] {
  const path = file.replace(/(:[\d-]+)?$/, '').replace(/\.ts$/, '')
  const tests = globSync('test/{agent,api,coordinator,shared}/**/*.test.ts', { exclude: ['**/*.e2e.test.ts'] })
  const importers = tests.filter((test) => readFileSync(test, 'utf8').includes(`'@placefleet/${path}'`))
  const nearest = importers.filter((test) => dirname(test) === join('test', dirname(path)))
  return nearest.length > 0 ? nearest : importers
}

/** Runs Stryker in a copy, because it changes the files in place: links of packages lead to the whole tree. */
function run(files: string[]): void {
  const tests = [...new Set(files.flatMap(testsOf))]
  console.error(`${files.length} files, ${tests.length} test files`)
  if (tests.length === 0) return
  install(FOLDER)
  const copy = makeCopy()
  try {
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(copy.dir, FOLDER, 'node_modules'))
    const config = {
      testRunner: 'vitest',
      vitest: { configFile: `${FOLDER}/vitest.config.ts`, related: false },
      plugins: [join(import.meta.dirname, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
      mutate: files,
      mutator: { excludedMutations: ['StringLiteral'] }, // most are texts for people
      inPlace: true,
      tsconfigFile: 'none', // Stryker reads it with an API that TypeScript 7 does not have
      coverageAnalysis: 'perTest',
      concurrency: 2,
      timeoutMS: 60_000,
      reporters: ['clear-text'],
      clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
      thresholds: { high: 90, low: 75, break: LOWEST_SCORE },
    }
    writeFileSync(join(copy.dir, 'stryker.config.json'), JSON.stringify(config))
    const program = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')
    const env = { ...process.env, MUTATION_TESTS: JSON.stringify(tests) }
    execFileSync(process.execPath, [program, 'run'], { cwd: copy.dir, env, stdio: 'inherit' })
  } finally {
    copy.remove()
  }
}

const { values, positionals } = parseArgs({
  options: { since: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.help) console.log(USAGE)
else run(positionals.length > 0 ? positionals : changedSince(values.since ?? '1 day ago'))
