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

const common = {
  setupFiles: ['test/harness/property-seed.ts'],
  isolate: false,
  // Node imports the sources itself, as it does in production: nothing is transformed, and no module goes through vite.
  experimental: { viteModuleRunner: false },
  // Processes that tests start compile nothing twice.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
}

/** Tests with one MongoDB and one NATS for all files of a project. */
const onServers = {
  exclude: [...configDefaults.exclude, ...OTHER_COMMANDS],
  globalSetup: ['test/harness/servers/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/** A start with `--sequence.shuffle` takes the order of vitest's own sequencer. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))

export default defineConfig({
  test: {
    // More than the cores of a small machine: many tests wait for a lease, a backoff or another process.
    maxWorkers: Math.max(7, availableParallelism()),
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
          // These only compute. Each worker imports the product once.
          maxWorkers: Math.max(3, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...common, ...onServers, name: 'services', include: [SERVICES] } },
      { test: { ...common, ...onServers, name: 'e2e', include: [E2E], testTimeout: 180_000 } },
    ],
  },
})
