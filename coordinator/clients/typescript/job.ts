import type { components } from './schema.d.ts'

type Schemas = components['schemas']
export type Job = Schemas['Job']
export type Place = Schemas['Result']
export type JobTask = Schemas['JobTask']
export type CreateJobRequest = Schemas['CreateJobRequest']

/** Returns whether a job has ended. */
export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'
