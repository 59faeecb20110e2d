import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// npm run test:upgrade: an earlier version and this one, one after the other and side by side. It installs the earlier one.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/upgrade/**/*.test.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    reporters: ['default', './test/harness/runner/report.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
