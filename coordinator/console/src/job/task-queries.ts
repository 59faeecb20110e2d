import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { JOBS_KEY, type Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import type { Task } from './timeline-rules.ts'

export type TaskState = Task['state']
type TaskPage = Schemas['JobTaskList']

const LIMIT = 100

/** The key of the tasks of all jobs. */
export const TASKS_KEY = [...JOBS_KEY, 'tasks']

/**
 * The tasks of a job, page after page. While the job is active, they are read again after the time that one page takes, so
 * that a long list stays below the rate limit of a session.
 * @param any whether an operator reads the job of any user.
 */
export const tasksQuery = (job: Pick<Job, 'id' | 'status'>, state: TaskState | undefined, any: boolean) =>
  infiniteQueryOptions({
    queryKey: [...TASKS_KEY, job.id, { state, any }],
    queryFn: ({ pageParam, signal }): Promise<TaskPage> => {
      const query = { limit: LIMIT, ...(state && { state }), ...(pageParam !== '' && { after: pageParam }) }
      const request = { params: { path: { id: job.id }, query }, signal }
      return unwrap(
        any ? api.GET('/api/v1/admin/jobs/{id}/tasks', request) : api.GET('/api/v1/jobs/{id}/tasks', request),
      )
    },
    initialPageParam: '',
    getNextPageParam: ({ tasks, has_more }) => (has_more ? tasks.at(-1)?.id : undefined),
    refetchInterval: ({ state: { data } }) => isActive(job) && ACTIVE_POLL_MS * Math.max(1, data?.pages.length ?? 1),
  })
