import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { useAction } from '../parts/use-action.ts'
import { type LimitsDraft, limitsOf } from './limit-fields.tsx'

export const KEYS_KEY = ['keys']

export type Key = Schemas['ApiKey']

/** Reads all keys of the user, including revoked ones. */
export const useKeys = () => useQuery({ queryKey: KEYS_KEY, queryFn: () => unwrap(api.GET('/api/v1/api-keys')) })

/** Revokes a key. */
export const useRevokeKey = () =>
  useAction((id: string) => unwrap(api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } })), KEYS_KEY)

/** Replaces the spending limits of a key. */
export function useChangeLimits(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (draft: LimitsDraft) =>
      unwrap(api.PATCH('/api/v1/api-keys/{id}', { params: { path: { id } }, body: { limits: limitsOf(draft) } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS_KEY }),
  })
}
