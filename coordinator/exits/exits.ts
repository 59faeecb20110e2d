import type { Context } from '../context.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { createExitIds } from './documents.ts'
import { createExitGrants } from './grants.ts'
import { createProxyPool, rememberedPool } from './pool.ts'
import { createExitStore } from './store.ts'

export type Exits = ReturnType<typeof createExits>

/**
 * Creates the room of exits: their names, their turns and the pool of proxies.
 * @param key of the deployment. Without one there are no proxies, and what other exits are named after is no secret.
 */
export function createExits({ log, db, timings }: Context, secrets: SecretBox, key: Buffer = Buffer.alloc(0)) {
  const exitStore = createExitStore(db)
  const exitIds = createExitIds(key)
  const proxyPool = createProxyPool(db, { secrets, exitIds })
  return {
    exitStore,
    exitIds,
    exitGrants: createExitGrants({ store: exitStore, log, gatherMs: timings.exitTurnsMs }),
    proxyPool,
    pooledProxies: rememberedPool(proxyPool),
  }
}
