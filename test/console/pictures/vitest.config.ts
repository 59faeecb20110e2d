import { defineConfig } from 'vitest/config'

// npm run console:pictures: the pictures of the README, by the real product on the simulated city.
export default defineConfig({
  test: {
    include: ['test/console/pictures/take.ts'],
    globalSetup: ['test/harness/servers/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
