import type { Schemas } from '../api/client.ts'

export type Task = Schemas['JobTask']
export type Attempt = Task['attempts'][number]

/** A span of time, in milliseconds. */
export type Range = { from: number; to: number }

/** The shortest bar that can be seen, in percent. */
const LEAST_WIDTH = 0.6

/** Returns the time from the start of a job to its end, or to now. It is never empty. */
export function rangeOf(job: { created_at: string; started_at?: string; ended_at?: string }, now: number): Range {
  const from = Date.parse(job.started_at ?? job.created_at)
  return { from, to: Math.max(from + 1_000, job.ended_at === undefined ? now : Date.parse(job.ended_at)) }
}

/** Returns where the bar of an attempt begins in a range, and how wide it is, in percent. */
export function barOf({ started_at, ended_at }: Attempt, { from, to }: Range): { left: number; width: number } {
  const percent = (at: number) => (Math.min(Math.max(at, from), to) - from) / ((to - from) / 100)
  const left = Math.min(percent(Date.parse(started_at)), 100 - LEAST_WIDTH)
  const right = percent(ended_at === undefined ? to : Date.parse(ended_at))
  return { left, width: Math.max(LEAST_WIDTH, right - left) }
}

/** Returns how long an attempt took, or has taken so far, in milliseconds. */
export const tookOf = ({ started_at, ended_at }: Attempt, now: number): number =>
  Math.max(0, (ended_at === undefined ? now : Date.parse(ended_at)) - Date.parse(started_at))

/** What an attempt shows of its end: the failure, else the result; undefined while it runs. */
export const verdictOf = ({ reason, result }: Attempt): string | undefined => reason ?? result
