import { infiniteQueryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { useAction } from '../parts/use-action.ts'

export const MONITORS_KEY = ['monitors']

export type Monitor = Schemas['Monitor']

const POLL_MS = 10_000
const CHANGES_PER_PAGE = 50

export const useMonitors = () =>
  useQuery({
    queryKey: MONITORS_KEY,
    queryFn: () => unwrap(api.GET('/api/v1/monitors')),
    refetchInterval: POLL_MS,
  })

export const useMonitor = (id: string) =>
  useQuery({
    queryKey: [...MONITORS_KEY, id],
    queryFn: () => unwrap(api.GET('/api/v1/monitors/{id}', { params: { path: { id } } })),
    refetchInterval: POLL_MS,
  })

/** Reads the latest runs of a monitor, newest first. */
export const useRuns = (id: string) =>
  useQuery({
    queryKey: [...MONITORS_KEY, id, 'runs'],
    queryFn: () => unwrap(api.GET('/api/v1/monitors/{id}/runs', { params: { path: { id } } })),
    refetchInterval: POLL_MS,
  })

/** The changes that a monitor found, newest first, page after page. */
export const changesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...MONITORS_KEY, id, 'changes'],
    queryFn: ({ pageParam, signal }) => {
      const query = { order: 'desc' as const, limit: CHANGES_PER_PAGE, ...(pageParam > 0 && { before: pageParam }) }
      return unwrap(api.GET('/api/v1/monitors/{id}/changes', { params: { path: { id }, query }, signal }))
    },
    initialPageParam: 0,
    getNextPageParam: ({ changes, has_more }) => (has_more ? changes.at(-1)?.sequence : undefined),
    refetchInterval: POLL_MS,
  })

/** Pauses a monitor, with a reason if there is one, or resumes it. */
export const usePause = (id: string) =>
  useAction(
    (body: { paused: boolean; pause_reason?: string }) =>
      unwrap(api.PATCH('/api/v1/monitors/{id}', { params: { path: { id } }, body })),
    MONITORS_KEY,
  )

/** Runs a monitor at once, then shows its job. */
export function useRunNow(id: string) {
  const [, navigate] = useLocation()
  return useAction(async () => {
    const { job_id } = await unwrap(api.POST('/api/v1/monitors/{id}/run', { params: { path: { id } } }))
    navigate(`/jobs/${job_id}`)
  }, MONITORS_KEY)
}

/** Deletes a monitor, then shows the list. Its jobs stay. */
export function useDeleteMonitor(id: string) {
  const [, navigate] = useLocation()
  return useAction(async () => {
    await unwrap(api.DELETE('/api/v1/monitors/{id}', { params: { path: { id } } }))
    navigate('/monitors')
  }, MONITORS_KEY)
}
