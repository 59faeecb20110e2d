import type { Schemas } from '../api/client.ts'

type Job = Schemas['Job']

export const isActive = ({ status }: Pick<Job, 'status'>): boolean =>
  ['pending', 'running', 'aborting'].includes(status)

type Ended = Pick<Job, 'status' | 'partial' | 'result_count'> & { data: Pick<Job['data'], 'demo'> }

/**
 * Returns whether a job ended before it had all its places. Those that it stored are known now, so a job for new places
 * collects the rest. A demo job knows none.
 */
export const hasRest = ({ status, partial, result_count, data }: Ended): boolean =>
  !data.demo && result_count > 0 && (status === 'cancelled' || (status === 'completed' && partial === true))
