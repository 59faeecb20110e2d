import type { CallOptions, Connection, Query } from '../connection.ts'
import { unwrap } from '../errors.ts'
import { itemsBehind } from '../lists.ts'

/** The places that you have already: jobs with `only_new` leave them out. */
export const createKnownPlaces = ({ api, sent }: Connection) => ({
  /** Yields your known places in the order of their keys. */
  list: (query: Query<'listKnownPlaces'> = {}, options?: CallOptions) =>
    itemsBehind(
      async (after: string | undefined) => {
        const params = { query: { limit: 1_000, ...query, ...(after === undefined ? {} : { after }) } }
        const answer = await unwrap(api.GET('/api/v1/known-places', { params, ...sent(options) }))
        return { items: answer.known_places, has_more: answer.has_more }
      },
      ({ place_key }) => place_key,
      query.after,
    ),

  /** Adds the places of a CSV file: an export of Placefleet, or one `data_id` or `place_id` in each row. */
  upload: (csv: string, options?: CallOptions) =>
    unwrap(
      api.POST('/api/v1/known-places', {
        body: csv,
        bodySerializer: (text) => text,
        headers: { 'content-type': 'text/csv' },
        ...sent(options),
      }),
    ),

  /** Forgets all of them. */
  forget: async (options?: CallOptions): Promise<void> => {
    await unwrap(api.DELETE('/api/v1/known-places', sent(options)))
  },
})
