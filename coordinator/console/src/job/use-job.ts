import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { POLL_MS } from '../api/queries.ts'
import { isActive, JOBS_KEY, type Job } from '../jobs/job-queries.ts'
import { followJob } from './job-events.ts'

/**
 * Reads one job and keeps it up to date until it ends. A visible tab follows the event stream, and polls every two
 * seconds while it gets no events. A hidden tab does neither.
 */
export function useJob(id: string) {
  const queries = useQueryClient()
  const [live, setLive] = useState(false)
  const visible = useDocumentVisibility() === 'visible'
  const job = useQuery({
    queryKey: [...JOBS_KEY, id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (live || (state.data && !isActive(state.data)) ? false : POLL_MS),
  })
  const follows = visible && job.data !== undefined && isActive(job.data)
  useEffect(() => {
    if (!follows) return
    const key = [...JOBS_KEY, id]
    return followJob(id, {
      onLive: setLive,
      onProgress: ({ type: _, ...changes }) =>
        queries.setQueryData<Job>(key, (before) => before && { ...before, ...changes }),
      onEnd: () => void queries.invalidateQueries({ queryKey: JOBS_KEY }),
    })
  }, [follows, id, queries])
  return job
}
