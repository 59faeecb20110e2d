import { useInfiniteQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { useAction } from '../parts/use-action.ts'

export type KnownPlace = Schemas['KnownPlace']

const KNOWN_PLACES_KEY = ['known-places']

const LIMIT = 100

/** Reads the known places in the order of their ids, page after page. */
export const useKnownPlaces = () =>
  useInfiniteQuery({
    queryKey: KNOWN_PLACES_KEY,
    queryFn: ({ pageParam: after, signal }) =>
      unwrap(api.GET('/api/v1/known-places', { params: { query: { after, limit: LIMIT } }, signal })),
    initialPageParam: '',
    getNextPageParam: ({ known_places, has_more }) => (has_more ? known_places.at(-1)?.place_key : undefined),
    select: ({ pages }) => pages.flatMap(({ known_places }) => known_places),
  })

/** Uploads a CSV or XLSX file of places. */
export const useUpload = () =>
  useAction(async (file: File) => {
    const headers = { 'Content-Type': 'text/csv' }
    return unwrap(api.POST('/api/v1/known-places', { body: '', headers, bodySerializer: () => file }))
  }, KNOWN_PLACES_KEY)

export const useForgetAll = () => useAction(() => unwrap(api.DELETE('/api/v1/known-places')), KNOWN_PLACES_KEY)
