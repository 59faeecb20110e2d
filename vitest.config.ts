import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/runner/longest-first.ts'

/** Suites with their own commands, see CONTRIBUTING.md. */
const OTHER_COMMANDS = [
  'test/chaos/**',
  'test/deploy/engine/**',
  'test/packages/**',
  'test/python/**',
  'test/upgrade/**',
]

const SERVICES = 'test/**/*.services.test.ts'
const E2E = 'test/**/*.e2e.test.ts'

/** `npm test` leaves out the whole programs. A variable, because `--exclude` does not reach the projects. */
const leftOut = process.env.WITHOUT_E2E ? [E2E] : []

const common = {
  setupFiles: ['test/harness/property-seed.ts'],
  isolate: false,
  // Node imports the sources itself, as it does in production: nothing is transformed, and no module goes through vite.
  experimental: { viteModuleRunner: false },
  // Processes that tests start compile nothing twice.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
}

/** A start with `--sequence.shuffle` takes the order of vitest's own sequencer. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))

export default defineConfig({
  test: {
    // More than the cores of a small machine: many tests wait for a lease, a backoff or another process.
    maxWorkers: Math.max(5, availableParallelism()),
    // Tests make much garbage of short life. With 16 MB, the default, a run takes 8 % more processor time (measured once).
    execArgv: ['--max-semi-space-size=32'],
    reporters: ['default', './test/harness/runner/report.ts'],
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...OTHER_COMMANDS, SERVICES, E2E],
          setupFiles: [...common.setupFiles, 'test/harness/no-processes.ts'],
          testTimeout: 30_000,
          // A shuffled run would mix the projects, and each change of project starts a new worker.
          sequence: isShuffled ? { groupOrder: 1 } : {},
        },
      },
      {
        test: {
          ...common,
          name: 'services',
          // One project, so that a run of both has one MongoDB, one NATS, and workers that import the product once.
          include: [SERVICES, E2E],
          exclude: [...configDefaults.exclude, ...OTHER_COMMANDS, ...leftOut],
          globalSetup: ['test/harness/servers/global-setup.ts'],
          // A whole program that starts on a busy machine takes its time.
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
