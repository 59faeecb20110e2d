import type { Logger } from '@placefleet/shared/log'
import { delay } from '@placefleet/shared/timing'
import type { Db, Document } from 'mongodb'

/** An index. Each capability exports the list of its indexes. */
export type Index = {
  collection: string
  name: string
  key: Record<string, 1 | -1>
  unique?: true
  partialFilterExpression?: Document
  /** Set when queries name it in a hint: they fail without it. */
  hinted?: true
  /** Tidies up on servers that have a TTL monitor. Expiry itself is always checked when reading. */
  expireAfterSeconds?: number
}

/** Returns whether an index must exist before a coordinator starts: it enforces a rule, or queries name it. */
export const isRule = (index: Index): boolean => index.unique === true || index.hinted === true

/**
 * Creates the missing indexes, without a time limit. Existing ones cost nothing.
 * @throws Error when an index of the same name has another definition.
 */
export async function ensureIndexes(db: Db, indexes: readonly Index[]): Promise<void> {
  for (const [name, own] of Map.groupBy(indexes, (index) => index.collection)) {
    await db.collection(name).createIndexes(
      own.map(({ collection: _, hinted: __, ...index }) => index),
      { timeoutMS: 0 }, // the build of an index on a large collection takes longer than the socket timeout
    )
  }
}

const RETRY_MS = 60_000

/**
 * Builds the missing indexes in the background: those that only make queries fast must not delay a start. Tries again
 * every minute what fails. `stop` does not wait for a build, which ends when its connection closes.
 */
export function buildIndexes(
  db: Db,
  indexes: readonly Index[],
  log: Logger,
  retryMs: number = RETRY_MS,
): { stop(): void } {
  const stopping = new AbortController()
  const { signal } = stopping
  const isBuilt = (index: Index): Promise<boolean> =>
    ensureIndexes(db, [index]).then(
      () => true,
      (error) => {
        if (!signal.aborted) log.warn({ err: error, index: index.name }, 'building an index failed; retrying')
        return false
      },
    )
  const build = async () => {
    for (let left = indexes; left.length > 0; ) {
      const failed: Index[] = []
      for (const index of left) {
        if (signal.aborted) return
        if (!(await isBuilt(index))) failed.push(index)
      }
      left = failed
      if (left.length > 0) await delay(retryMs, signal)
    }
  }
  void build()
  return { stop: () => stopping.abort() }
}
