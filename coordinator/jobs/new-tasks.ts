import type { NewTask } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'

/** Returns the fields that all new tasks of one kind of a job have. Those of a demo job go to the simulated city. */
export const newTaskOf = <Kind extends NewTask['kind']>(
  { _id: job_id, user_id, data }: Pick<JobDocument, '_id' | 'user_id' | 'data'>,
  kind: Kind,
) => ({ job_id, user_id, kind, ...(data.demo && { demo: true as const }) })
