import type { Db } from 'mongodb'
import { z } from 'zod'
import type { Index } from '../mongo/indexes.ts'
import { SCHEMA_VERSION } from '../mongo/schema.ts'
import { readMaintenance } from '../process/maintenance.ts'

const timestamp = z.iso.datetime()

/** The state of the database, as operators see it. */
export const Upkeep = z
  .object({
    backed_up_at: timestamp.optional().describe('when the last `ops backup` was complete; absent before the first'),
    verified_at: timestamp.optional().describe('when the whole ledger was last verified'),
    deviations: z.int().optional().describe('what that found; 0 is good'),
    schema_version: z.int(),
    indexes: z.object({
      total: z.int(),
      missing: z.array(z.string()).describe('`collection.name` of each index that a start of a coordinator builds'),
    }),
    collections: z.array(
      z.object({ name: z.string(), documents: z.int().min(0).describe('estimated from the metadata of the server') }),
    ),
  })
  .meta({
    id: 'Upkeep',
    description: 'The state of the database: its backup, its ledger, its indexes and its size.',
    examples: [
      {
        backed_up_at: '2026-03-01T03:00:00.000Z',
        verified_at: '2026-03-01T03:05:00.000Z',
        deviations: 0,
        schema_version: 1,
        indexes: { total: 61, missing: [] },
        collections: [{ name: 'results', documents: 1204331 }],
      },
    ],
  })

/** Reads the state of the database. */
export async function readUpkeep(db: Db, indexes: readonly Index[]): Promise<z.infer<typeof Upkeep>> {
  const [{ backed_up_at, verified_at, deviations }, present] = await Promise.all([readMaintenance(db), namesOf(db)])
  const byCollection = Map.groupBy(indexes, ({ collection }) => collection)
  const missing: string[] = []
  for (const [collection, own] of byCollection) {
    const built = present.includes(collection) ? await builtIndexes(db, collection) : new Set<string>()
    missing.push(...own.filter(({ name }) => !built.has(name)).map(({ name }) => `${collection}.${name}`))
  }
  return {
    backed_up_at: backed_up_at?.toISOString(),
    verified_at: verified_at?.toISOString(),
    deviations,
    schema_version: SCHEMA_VERSION,
    indexes: { total: indexes.length, missing },
    collections: await Promise.all(present.map((name) => sizeOf(db, name))),
  }
}

async function namesOf(db: Db): Promise<string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  return collections
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort()
}

async function builtIndexes(db: Db, collection: string): Promise<Set<string>> {
  const indexes = await db.collection(collection).listIndexes().toArray()
  return new Set(indexes.map(({ name }) => String(name)))
}

const sizeOf = async (db: Db, name: string) => ({ name, documents: await db.collection(name).estimatedDocumentCount() })
