import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// npm run test:python: what Python programs meet. It needs Python 3.11 and installs packages, so it is not part of npm test.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/python/**/*.test.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    reporters: ['default', './test/harness/runner/report.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
