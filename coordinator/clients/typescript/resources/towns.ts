import type { CallOptions, Connection, Query } from '../connection.ts'
import { unwrap } from '../errors.ts'

/** The towns that the service knows, with their coordinates. */
export const createTowns = ({ api, sent }: Connection) => ({
  /** Returns the towns whose name begins with a text, the largest first. */
  search: async (search: string, query: Omit<Query<'searchTowns'>, 'search'> = {}, options?: CallOptions) => {
    const params = { query: { ...query, search } }
    return (await unwrap(api.GET('/api/v1/towns', { params, ...sent(options) }))).towns
  },
})
