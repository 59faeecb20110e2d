import { backchannelLogoutRoute } from '@placefleet/coordinator/auth/oidc/backchannel-logout'
import type { LogoutToken } from '@placefleet/coordinator/auth/oidc/logout-token'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { monitorRoutes } from '@placefleet/coordinator/monitors/routes'
import type { Db } from 'mongodb'
import { startApi } from '../../harness/coordinator/api.ts'
import type { Coordinator } from './bed.ts'

/** A provider whose tokens are plain JSON. */
const oidc = { verifyLogoutToken: async (token: string): Promise<LogoutToken> => JSON.parse(token) }

/**
 * Returns the API of the coordinator that sees a database. It starts once, and its accounts are those of `db`. Its requests run in this process without a network, so
 * that the writes of a request count as those of its caller.
 */
export function apiOver(db: Db, over: (seen: Db) => Coordinator, whenOver: (end: () => Promise<void>) => void) {
  const started = new Map<Db, Promise<Server>>()
  const start = async (seen: Db) => {
    const routes = async (server: Server) => {
      await server.register(backchannelLogoutRoute, { db: seen, oidc })
      await server.register(monitorRoutes, over(seen))
    }
    return (await startApi(db, { routes }, whenOver)).server
  }
  return (seen: Db): Promise<Server> => {
    const server = started.get(seen) ?? start(seen)
    started.set(seen, server)
    return server
  }
}
