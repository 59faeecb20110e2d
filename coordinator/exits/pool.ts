import { proxyDigest } from '@placefleet/shared/proxy-url'
import { LRUCache } from 'lru-cache'
import type { Collection, Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { collection } from '../mongo/connect.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { SealedField } from '../secrets/store.ts'
import type { ExitIds } from './documents.ts'

/** A proxy of the pool, by the id of its exit. */
type PooledProxy = { _id: string; sealed_url: string }

/** The most proxies of the pool: as many as a job may bring. */
export const MOST_POOLED = 100

const poolOf = (db: Db): Collection<PooledProxy> => collection(db, 'proxy_pool')

/** The encrypted field of the pool. */
export const poolSealedFields: readonly SealedField[] = [{ collection: 'proxy_pool', field: 'sealed_url' }]

/** Returns the ids of the exits of the pool. It needs no key. */
export const pooledExits = async (db: Db): Promise<string[]> =>
  (
    await poolOf(db)
      .find({}, { projection: { _id: 1 } })
      .toArray()
  ).map(({ _id }) => _id)

/** Takes proxies out of the pool. Running tasks keep theirs. Returns how many were in it. */
export const removePooled = async (db: Db, ids: readonly string[]): Promise<number> =>
  (await poolOf(db).deleteMany({ _id: { $in: [...ids] } })).deletedCount

/** The operator's proxies, for jobs that bring none. */
export type ProxyPool = ReturnType<typeof createProxyPool>

/** Creates the pool over a database. `exitIds` and `secrets` must have the same key. */
export function createProxyPool(db: Db, { secrets, exitIds }: { secrets: SecretBox; exitIds: ExitIds }) {
  const pool = poolOf(db)
  const idOf = (url: string) => exitIds.proxy(proxyDigest(url)).id
  return {
    /**
     * Adds proxies that are not in the pool yet. Returns the ids of the exits of all of them, in their order.
     * @throws AppError `conflict` when the pool would have too many, `unavailable` without SECRETS_KEY.
     */
    async add(urls: readonly string[]): Promise<string[]> {
      const ids = urls.map(idOf)
      const others = await pool.countDocuments({ _id: { $nin: ids } })
      if (others + new Set(ids).size > MOST_POOLED) {
        throw new AppError('conflict', `The pool may have ${MOST_POOLED} proxies. Remove some first.`)
      }
      const upserts = urls.map((url) => {
        const added = { $setOnInsert: { sealed_url: secrets.seal(url) } }
        return { updateOne: { filter: { _id: idOf(url) }, update: added, upsert: true } }
      })
      await pool.bulkWrite(upserts)
      return ids
    },

    async urls(): Promise<string[]> {
      const proxies = await pool.find().limit(MOST_POOLED).toArray()
      return proxies.map(({ sealed_url }) => secrets.open(sealed_url))
    },

    /** Names the proxies by the exits that they have under the present key. After a crash, run it again. */
    async rename(): Promise<void> {
      for (const { _id, sealed_url } of await pool.find().toArray()) {
        const id = idOf(secrets.open(sealed_url))
        if (id === _id) continue
        await pool.replaceOne({ _id: id }, { sealed_url }, { upsert: true })
        await pool.deleteOne({ _id })
      }
    },
  }
}

/** How soon a change of the pool counts on all coordinators. Claims need the pool often. */
const REMEMBERED_MS = 5_000

/** Returns the URLs of a pool, at most five seconds old. */
export function rememberedPool(pool: Pick<ProxyPool, 'urls'>): () => Promise<string[]> {
  const remembered = new LRUCache<'pool', string[]>({ max: 1, ttl: REMEMBERED_MS, fetchMethod: () => pool.urls() })
  return async () => (await remembered.fetch('pool')) ?? []
}
