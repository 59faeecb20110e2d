import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { ensureConsole } from '@placefleet/deploy/standalone/start'
import { createLogger } from '@placefleet/shared/log'
import { MongoClient } from 'mongodb'
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
  const dataDir = mkdtempSync(join(placeForData(), 'placefleet-test-'))
  const log = createLogger('test', 'error')
  const [mongo, { stop, ...nats }] = await Promise.all([
    startMongo({ dataDir, cacheDir: join(dataDir, 'cache'), env: process.env, log }),
    startSharedNats(dataDir, project.vitest.config.maxWorkers),
    ensureConsole(log),
  ])
  // Other suites run releases that scan, and MONGODB_URL may name a server of others.
  if (project.name === 'services' && mongo.pid !== undefined) await refuseScans(mongo.url)
  project.provide('mongoUrl', mongo.url)
  project.provide('nats', nats)
  project.provide('natsUrl', commonUrl(nats))
  return async () => {
    await Promise.all([stop(), mongo.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Linux keeps the files of this directory in memory. */
const IN_MEMORY = '/dev/shm'
/** More than the servers write in a run. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Returns where the servers write. In memory they take a third less CPU, because no write waits for a disk. */
function placeForData(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : tmpdir()
}

/**
 * Makes the server refuse each plan that reads a whole collection, so that no query of the product lacks its index.
 * Queries for all documents (`{}`) it takes.
 */
async function refuseScans(url: string): Promise<void> {
  await using client = await new MongoClient(url).connect()
  await client.db('admin').command({ setParameter: 1, notablescan: true })
}
