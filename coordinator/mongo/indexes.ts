import type { Db, Document } from 'mongodb'

/** One index that a capability needs. Each capability exports the list of its own. */
export type Index = {
  collection: string
  name: string
  key: Record<string, 1 | -1>
  unique?: true
  partialFilterExpression?: Document
  /** Tidies up on servers that have a TTL monitor. Expiry itself is always checked when reading. */
  expireAfterSeconds?: number
}

/** Creates what is missing; those there already cost nothing. Throws when one of the name exists with another definition. */
export async function ensureIndexes(db: Db, indexes: readonly Index[]): Promise<void> {
  for (const [name, own] of Map.groupBy(indexes, (index) => index.collection)) {
    await db.collection(name).createIndexes(own.map(({ collection: _, ...index }) => index))
  }
}
