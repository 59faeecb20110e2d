// The pages of the console import this file, so it must not need a schema library.

export const JOB_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled', 'aborting'] as const

export type JobStatus = (typeof JOB_STATUSES)[number]

/** The allowed transitions. Every status change is a compare-and-set on one of them. */
const NEXT: Record<JobStatus, readonly JobStatus[]> = {
  pending: ['running', 'cancelled'],
  running: ['completed', 'failed', 'aborting'],
  aborting: ['cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const canMove = (from: JobStatus, to: JobStatus): boolean => NEXT[from].includes(to)

export const isFinal = (status: JobStatus): boolean => NEXT[status].length === 0
