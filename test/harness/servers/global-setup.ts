import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { createLogger } from '@placefleet/shared/log'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    mongoUrl: string
    natsUrl: string
  }
}

/**
 * Starts one MongoDB and one NATS for a whole run (0.2 s), in a data directory of its own that goes with it. MONGODB_URL
 * and NATS_URL name others, if set. Each test file takes a database of its own, see services.ts.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-test-'))
  const servers = await startServers({ dataDir, env: process.env, log: createLogger('test', 'error') })
  project.provide('mongoUrl', servers.mongoUrl)
  project.provide('natsUrl', servers.natsUrl)
  return async () => {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
