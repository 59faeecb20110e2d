import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// npm run test:packages: what others install, as npm installs it. It needs the registry, so it is not part of npm test.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/packages/**/*.test.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    reporters: ['default', './test/harness/runner/report.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
