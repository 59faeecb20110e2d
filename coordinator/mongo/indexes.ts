import type { Db, Document } from 'mongodb'

/** An index. Each capability exports the list of its indexes. */
export type Index = { collection: string; name: string } & IndexDefinition

type IndexDefinition = {
  key: Record<string, 1 | -1>
  unique?: true
  partialFilterExpression?: Document
  /** How long after the time in the key a document is removed: by the server's TTL monitor, or by expiry.ts. */
  expireAfterSeconds?: number
}

/** Returns the indexes of a collection by their names. Queries name one of these objects, so they cannot name another. */
export function indexesOf<Name extends string>(
  collection: string,
  definitions: Record<Name, IndexDefinition>,
): Record<Name, Index>
export function indexesOf(collection: string, definitions: Record<string, IndexDefinition>): Record<string, Index> {
  const named = Object.entries(definitions).map(([name, definition]) => [name, { collection, name, ...definition }])
  return Object.fromEntries(named)
}

/** Names the index by id, which every collection has. */
export const BY_ID = { hint: '_id_' } as const

/**
 * Returns the option with which a query uses an index, because the server may choose a slow one. The filter of a query that
 * names a partial index has the condition of that index.
 */
export const using = ({ name }: Index): { hint: string } => ({ hint: name })

/** Like `using`, for `findOneAndUpdate`: the type of its options takes the key of an index, not the name. */
export const usingKey = ({ key }: Index): { hint: Index['key'] } => ({ hint: key })

/**
 * Creates the missing indexes, without a time limit. Existing ones cost nothing.
 * @throws Error when an index of the same name has another definition.
 */
export async function ensureIndexes(db: Db, indexes: readonly Index[]): Promise<void> {
  for (const [name, own] of Map.groupBy(indexes, (index) => index.collection)) {
    await db.collection(name).createIndexes(
      own.map(({ collection: _, ...index }) => index),
      { timeoutMS: 0 }, // the build of an index on a large collection takes longer than the socket timeout
    )
  }
}
