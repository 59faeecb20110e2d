import { useLocation } from 'wouter'
import { type Job, useCancelJob, useRunAgain } from './job-queries.ts'
import { useDeleteJob } from './use-delete-job.tsx'

/** Returns the actions of a job: cancel it, run it again, and remove it with some seconds to undo that. */
export function useJobActions(job: Job) {
  const [, navigate] = useLocation()
  const cancel = useCancelJob()
  const repeat = useRunAgain()
  const remove = useDeleteJob()
  return {
    cancel: () => cancel.mutate(job.id),
    cancelling: cancel.isPending,
    /** Opens the new job. A job with proxies opens the form instead, because the API never shows proxies. */
    runAgain: () => {
      if (job.data.proxy_count > 0) navigate(`/jobs/new?from=${job.id}`)
      else repeat.mutate(job, { onSuccess: (id) => navigate(`/jobs/${id}`) })
    },
    creating: repeat.isPending,
    remove: () => remove(job),
  }
}
