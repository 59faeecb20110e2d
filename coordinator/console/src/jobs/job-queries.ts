import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answered, api, type Schemas } from '../api/client.ts'

export type Job = Schemas['Job']

/** The query keys that change with a job: lists of jobs, the job, credits. */
export const JOBS_KEY = ['jobs']

export const isActive = ({ status }: Pick<Job, 'status'>): boolean =>
  ['pending', 'running', 'aborting'].includes(status)

/** Cancels a job. */
export function useCancelJob() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => answered(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  })
}

/** Returns whether a job can be repeated from the data of the API. Proxies are secrets, which the API never shows. */
export const canRunAgain = (job: Job): boolean => job.data.proxy_count === 0

/** Returns the body that creates the same job again, without its proxies. */
function requestOfJob({ name, data }: Job): Schemas['CreateJobRequest'] {
  const { proxy_count: _, ...request } = data
  return { name, ...request }
}

/** Creates a job like this one and returns the new id. */
export function useRunAgain() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (job: Job) => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      return (await answered(api.POST('/api/v1/jobs', { body: requestOfJob(job), headers }))).id
    },
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  })
}
