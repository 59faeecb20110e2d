import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { JOBS_KEY, jobQuery } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
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
    ...jobQuery(id),
    refetchInterval: ({ state }) => (live || (state.data && !isActive(state.data)) ? false : ACTIVE_POLL_MS),
  })
  const follows = visible && job.data !== undefined && isActive(job.data)
  useEffect(() => {
    if (!follows) return
    const { queryKey } = jobQuery(id)
    return followJob(id, {
      onLive: setLive,
      onProgress: ({ type: _, ...changes }) => {
        void queries.cancelQueries({ queryKey, exact: true }) // an answer in flight is older
        queries.setQueryData(queryKey, (before) => before && { ...before, ...changes })
      },
      onEnd: () => void queries.invalidateQueries({ queryKey: JOBS_KEY }),
    })
  }, [follows, id, queries])
  return job
}
