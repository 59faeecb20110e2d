import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/chaos/**', '**/node_modules/**'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    setupFiles: ['test/harness/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
