import type { JobStatus } from '@placefleet/shared/job-status'

/** The phases of a job (README.md draws them). A phase says what coordinators still have to do for the job. */
export const JOB_PHASES = [
  'creating',
  'rolling_back',
  'pending',
  'running',
  'aborting',
  'ending',
  'closing',
  'ended',
  'deleting',
  'deleted',
] as const

export type JobPhase = (typeof JOB_PHASES)[number]

export type EndStatus = 'completed' | 'failed' | 'cancelled'

/** The allowed moves. Each is one compare-and-set. From the last phases the job is removed. */
const NEXT: Record<JobPhase, readonly JobPhase[]> = {
  creating: ['pending', 'rolling_back'],
  rolling_back: [],
  pending: ['running', 'closing'],
  running: ['aborting', 'ending'],
  aborting: ['closing'],
  ending: ['closing'],
  closing: ['ended', 'deleting'],
  ended: ['deleting'],
  deleting: ['deleted'],
  deleted: [],
}

export const canMove = (from: JobPhase, to: JobPhase): boolean => NEXT[from].includes(to)

/** The phases of a job whose creation is not complete. */
export const IN_CREATION: readonly JobPhase[] = ['creating', 'rolling_back']

/** The phases in which a job still collects, or is about to end. */
export const ACTIVE: readonly JobPhase[] = ['pending', 'running', 'aborting', 'ending']

/** The phases of a job that may have places. */
export const WITH_PLACES: readonly JobPhase[] = ['running', 'aborting', 'ending', 'closing', 'ended', 'deleting']

/** The phases after the end of a job: users see its final status. */
export const AFTER_END: readonly JobPhase[] = ['closing', 'ended', 'deleting', 'deleted']

/** The phases of a job whose end everything has heard of. */
export const CLOSED: readonly JobPhase[] = ['ended', 'deleting', 'deleted']

/**
 * Returns the status that users see, given the phase and the decided end. A job that is ending is still shown as running:
 * only a billed job is seen as ended.
 */
export function statusOf(phase: JobPhase, end: EndStatus | undefined): JobStatus {
  if (phase === 'creating' || phase === 'rolling_back') return 'pending'
  if (phase === 'pending' || phase === 'running' || phase === 'aborting') return phase
  if (phase === 'ending') return 'running'
  if (end === undefined) throw new Error(`a job is ${phase} without an end`)
  return end
}
