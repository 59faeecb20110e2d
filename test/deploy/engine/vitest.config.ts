import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// npm run test:deploy: what runs in a container engine or is checked by systemd. It builds images, which takes minutes.
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../../..'),
    include: ['test/deploy/engine/**/*.test.ts'],
    reporters: ['default', './test/harness/runner/report.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
  },
})
