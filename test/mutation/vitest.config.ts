import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { z } from 'zod'

/** The test files that Stryker runs, from the root of the copy. main.ts chooses them. */
const include = z.array(z.string()).parse(JSON.parse(process.env.MUTATION_TESTS ?? '[]'))

// One project, because Stryker's runner gives worker threads to all files alike.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    name: 'services',
    include,
    isolate: false,
    experimental: { viteModuleRunner: false },
    setupFiles: ['test/harness/property-seed.ts', 'test/harness/no-processes.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
})
