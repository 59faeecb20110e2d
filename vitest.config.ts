import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { install } from './bin/install.mjs'
import { LongestFirst } from './test/harness/runner/longest-first.ts'

install('test') // for `npx vitest`, which does not go through bin/run.mjs

/** Suites with their own commands, see CONTRIBUTING.md. */
const OTHER_COMMANDS = [
  'test/deploy/engine/**',
  'test/install/**',
  'test/packages/**',
  'test/python/**',
  'test/upgrade/**',
]

/** `npm test` leaves them to `npm run test:e2e`. An exclusion on the command line does not reach the projects. */
const LATER = process.env.WITHOUT_E2E ? ['test/**/*.e2e.test.ts'] : []

/** `npm run test:volume` runs only the files that have more to run then. */
const include =
  process.env.VOLUME === 'many'
    ? globSync('test/**/*.test.ts').filter((file) =>
        /(volume|secondLook|describeEachChromium)\(/.test(readFileSync(file, 'utf8')),
      )
    : ['test/**/*.test.ts']

/** Files that may use MongoDB, NATS and whole programs. The others answer without waiting for a server. */
const WITH_SERVICES = 'test/**/*.{services,e2e}.test.ts'
const WITHOUT_SERVICES = 'test/**/!(*.services|*.e2e).test.ts'

export default defineConfig({
  test: {
    setupFiles: ['test/harness/property-seed.ts', 'test/harness/no-processes.ts'],
    isolate: false,
    // Node imports the sources itself, as it does in production: nothing is transformed, and no module goes through
    // vite.
    experimental: { viteModuleRunner: false },
    // Processes that tests start compile nothing twice.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
    // A whole program that starts on a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // More than the cores of a small machine: many tests wait for a lease, a backoff or another process.
    maxWorkers: Math.max(4, availableParallelism()),
    // Tests make much garbage of short life. With 16 MB, the default, a run takes 8 % more processor time (measured
    // once).
    execArgv: ['--max-semi-space-size=32'],
    reporters: ['default', './test/harness/runner/report.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include,
          exclude: [...configDefaults.exclude, ...OTHER_COMMANDS, WITH_SERVICES],
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include,
          exclude: [...configDefaults.exclude, ...OTHER_COMMANDS, ...LATER, WITHOUT_SERVICES],
          globalSetup: ['test/harness/servers/global-setup.ts'],
        },
      },
    ],
  },
})
