import type { ForAgents } from '../tasks/agents.ts'
import type { NewTask } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'

/**
 * Returns the fields that all new tasks of one kind of a job have. Those of a demo job go to the simulated city, and not
 * every agent gets those of a job with proxies.
 */
export const newTaskOf = <Kind extends NewTask['kind']>(
  { _id: job_id, user_id, data, proxy_count }: Pick<JobDocument, '_id' | 'user_id' | 'data' | 'proxy_count'>,
  kind: Kind,
) => ({
  job_id,
  user_id,
  kind,
  ...forAgentsOf({ data, proxy_count }),
})

/** Which agents may take the tasks of a job. */
export const forAgentsOf = ({ data, proxy_count }: Pick<JobDocument, 'data' | 'proxy_count'>): ForAgents => ({
  ...(data.demo && { demo: true }),
  ...(proxy_count > 0 && { proxied: true }),
})
