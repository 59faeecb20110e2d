import { api, type Schemas, unwrap } from '../api/client.ts'
import { useAction } from '../parts/use-action.ts'

export type Job = Schemas['Job']

/** The query keys that change with a job: lists of jobs, the job, credits. */
export const JOBS_KEY = ['jobs']

export const isActive = ({ status }: Pick<Job, 'status'>): boolean =>
  ['pending', 'running', 'aborting'].includes(status)

/** Cancels a job. */
export const useCancelJob = () =>
  useAction((id: string) => unwrap(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } } })), JOBS_KEY)

/** Creates a job like this one, without its proxies, and returns the new id. */
export const useRunAgain = () =>
  useAction(async (job: Job) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    return (await unwrap(api.POST('/api/v1/jobs', { body: requestOfJob(job), headers }))).id
  }, JOBS_KEY)

function requestOfJob({ name, data }: Job): Schemas['CreateJobRequest'] {
  const { proxy_count: _, ...request } = data
  return { name, ...request }
}
