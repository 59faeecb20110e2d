import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

/** All sessions of the user. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => unwrap(api.GET('/auth/sessions')),
})
