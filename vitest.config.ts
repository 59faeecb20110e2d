import { defineConfig } from 'vitest/config'
import { testFilesByProject } from './test/projects.ts'

const { unit, services } = testFilesByProject()
const common = { setupFiles: ['test/harness/property-seed.ts'], isolate: false }
const withServers = {
  ...common,
  globalSetup: ['test/harness/servers/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}
const withoutProcesses = { ...common, setupFiles: [...common.setupFiles, 'test/harness/no-processes.ts'] }

export default defineConfig({
  test: {
    // More than the two cores of a small machine: many tests wait for a lease, a backoff or another process.
    maxWorkers: 5,
    projects: [
      { test: { name: 'unit', include: unit, ...withoutProcesses, testTimeout: 30_000 } },
      { test: { name: 'services', include: services, ...withServers } },
    ],
  },
})
