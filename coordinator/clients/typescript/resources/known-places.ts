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

  /** Adds the places of a CSV or XLSX file: an export of Placefleet or of another tool, or one id in each row. */
  upload: (file: string | Uint8Array<ArrayBuffer>, options?: CallOptions) =>
    unwrap(
      api.POST('/api/v1/known-places', {
        body: '', // the type of a file in OpenAPI is text
        bodySerializer: () => file,
        ...sent({ ...options, headers: { 'content-type': 'text/csv', ...options?.headers } }),
      }),
    ),

  /** Forgets all of them. */
  forget: async (options?: CallOptions): Promise<void> => {
    await unwrap(api.DELETE('/api/v1/known-places', sent(options)))
  },
})
