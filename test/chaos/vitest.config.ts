import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// npm run test:chaos: processes that are killed and frozen under load. It takes minutes and wants a machine to itself.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    reporters: ['default', './test/harness/runner/report.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
})
