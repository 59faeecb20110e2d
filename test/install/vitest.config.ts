import { defineConfig } from 'vitest/config'

/** npm run test:install: the first commands of the README in an empty Debian. */
export default defineConfig({
  test: {
    include: ['test/install/**/*.test.ts'],
    experimental: { viteModuleRunner: false },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    fileParallelism: false,
  },
})
