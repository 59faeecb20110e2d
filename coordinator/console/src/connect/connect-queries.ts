import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

/** The program that shows a pairing code. */
export const deviceLoginQuery = (user_code: string) =>
  queryOptions({
    queryKey: ['device-login', user_code],
    queryFn: () => unwrap(api.GET('/auth/device/{user_code}', { params: { path: { user_code } } })),
    retry: false,
    refetchOnWindowFocus: false, // once decided it is gone
  })
