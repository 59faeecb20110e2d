import type { Logger } from '@placefleet/shared/log'
import { delay } from '@placefleet/shared/timing'
import type { Db, Document } from 'mongodb'

/** An index. Each capability exports the list of its indexes. */
export type Index = { collection: string; name: string } & IndexDefinition

type IndexDefinition = {
  key: Record<string, 1 | -1>
  unique?: true
  partialFilterExpression?: Document
  /** Set when queries name it, with `using`. */
  hinted?: true
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

type IndexName = Pick<Index, 'collection' | 'name'>

/**
 * The hinted indexes that queries of this process do without. One list serves all databases: to leave out a hint is
 * always right.
 */
const suspended = new Set<IndexName>()

/**
 * Returns the option with which a query uses an index. While `suspendHint` holds there is none, because the server refuses
 * a hint to a missing index. It then chooses a plan itself: slower, but with the same documents. So the filter of a query
 * that names a partial index has the condition of that index, and a query whose order matters has a sort.
 */
export function using({ collection, name }: Index): { hint?: string } {
  for (const index of suspended) if (index.name === name && index.collection === collection) return {}
  return { hint: name }
}

/** Like `using`, for `findOneAndUpdate`: the type of its options takes the key of an index, not the name. */
export function usingKey(index: Index): { hint?: Index['key'] } {
  return using(index).hint === undefined ? {} : { hint: index.key }
}

/** Has queries do without an index that may not exist. They use it again once the returned function was called. */
export function suspendHint({ collection, name }: Index): () => void {
  const index = { collection, name } // its own, because another coordinator of this process may wait for the same index
  suspended.add(index)
  return () => void suspended.delete(index)
}

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

/** How long a start waits for the indexes that queries name. An empty or small database has them in milliseconds. */
const START_WAITS_MS = 5_000

const NOT_WAITED_FOR = 'the start waits no longer for the builds of indexes; queries are slower until they are built'

/** Builds of indexes. `stop` does not wait for a build, which ends when its connection closes. */
export type IndexBuilds = {
  stop(): void
  /** Resolves once all are built, or the builds were stopped. */
  ended: Promise<void>
}

/**
 * Builds the missing indexes in the background, one after another: those that only make queries fast must not delay a
 * start. Tries again every minute what fails.
 */
export function buildIndexes(db: Db, indexes: readonly Index[], log: Logger, retryMs: number = RETRY_MS): IndexBuilds {
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
  return { stop: () => stopping.abort(), ended: build() }
}

/** Builds of hinted indexes. */
export type HintedBuilds = {
  stop(): void
  /** Resolves once all are built, at the latest after five seconds. Logs those that are not built by then. */
  forStart(): Promise<void>
}

/**
 * Builds the missing hinted indexes in the background, all at once: one that exists must not wait for the build of
 * another. The build of another coordinator is waited for. Queries do without an index until it is built.
 */
export function buildHintedIndexes(
  db: Db,
  indexes: readonly Index[],
  log: Logger,
  { retryMs = RETRY_MS, waitMs = START_WAITS_MS }: { retryMs?: number; waitMs?: number } = {},
): HintedBuilds {
  const left = new Set(indexes)
  const builds = indexes.map((index) => {
    const use = suspendHint(index)
    const { stop, ended } = buildIndexes(db, [index], log, retryMs)
    const used = ended.then(() => {
      left.delete(index)
      use()
    })
    return { stop, used }
  })
  const stop = () => {
    for (const build of builds) build.stop()
  }
  const forStart = async () => {
    const waiting = new AbortController()
    await Promise.race([Promise.all(builds.map(({ used }) => used)), delay(waitMs, waiting.signal)])
    waiting.abort()
    const names = [...left].map(({ collection, name }) => `${collection}.${name}`)
    if (names.length > 0) log.warn({ indexes: names }, NOT_WAITED_FOR)
  }
  return { stop, forStart }
}
