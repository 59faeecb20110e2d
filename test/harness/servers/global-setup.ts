import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { ensureConsole } from '@placefleet/deploy/standalone/start'
import { createLogger } from '@placefleet/shared/log'
import type { TestProject } from 'vitest/node'
import { commonUrl, type SharedNats, startSharedNats } from './nats.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mongoUrl: string
    nats: SharedNats
    /** For tests that only need an answering NATS. */
    natsUrl: string
  }
}

/**
 * Starts one MongoDB (or takes the one that MONGODB_URL names) and one NATS for a whole run, in a data directory that
 * is removed afterwards. Each test takes its own database (database.ts) and its own account (nats.ts) of them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-test-'))
  const log = createLogger('test', 'error')
  await ensureConsole(log)
  const mongo = await startMongo({ dataDir, cacheDir: join(dataDir, 'cache'), env: process.env, log })
  const { stop, ...nats } = await startSharedNats(dataDir, project.vitest.config.maxWorkers)
  project.provide('mongoUrl', mongo.url)
  project.provide('nats', nats)
  project.provide('natsUrl', commonUrl(nats))
  return async () => {
    await stop()
    await mongo.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
