import type { Schemas } from '../api/client.ts'
import type { Job } from '../jobs/job-queries.ts'
import { type Draft as JobDraft, jobDraftOf, jobRequestOf, nameOf, newJobDraft } from '../new-job/draft.ts'
import type { Monitor } from './monitor-queries.ts'
import { newSchedule, type ScheduleDraft, scheduleDraftOf, scheduleOf } from './schedule.ts'

/** The settings of a monitor, as the form asks for them. */
export type MonitorDraft = {
  /** Empty: the name of its job. */
  name: string
  schedule: ScheduleDraft
  /** In the time zone of this browser, e.g. 2026-03-02T06:00; empty: no end. */
  ends: string
  jitter_seconds: number
  watch_ratings: boolean
  /** The job of each run. */
  job: JobDraft
}

const USUAL = { ends: '', jitter_seconds: 0, watch_ratings: false } as const

/** Returns an empty form, in the user's language. */
export const emptyDraft = (language: string): MonitorDraft => ({
  ...USUAL,
  name: '',
  schedule: newSchedule(),
  job: newJobDraft(language),
})

/** Returns the settings that a new monitor of a job begins with. */
export const newMonitorDraft = (job: Job): MonitorDraft => ({
  ...USUAL,
  name: job.name,
  schedule: newSchedule(),
  job: jobDraftOf(job),
})

/** Returns the present settings of a monitor. */
export const monitorDraftOf = ({
  name,
  schedule,
  ends_at,
  job: { name: jobName, ...data },
  ...monitor
}: Monitor): MonitorDraft => ({
  name,
  schedule: scheduleDraftOf(schedule),
  ends: localTime(ends_at),
  jitter_seconds: monitor.jitter_seconds,
  watch_ratings: monitor.watch_ratings,
  job: jobDraftOf({ name: jobName, data }),
})

/** Returns the body that creates a monitor. */
export function monitorRequestOf(draft: MonitorDraft): Schemas['CreateMonitorRequest'] {
  const ends_at = timestampOf(draft.ends)
  return {
    name: draft.name.trim() === '' ? nameOf(draft.job) : draft.name,
    schedule: scheduleOf(draft.schedule),
    job: jobRequestOf(draft.job),
    jitter_seconds: draft.jitter_seconds,
    watch_ratings: draft.watch_ratings,
    ...(ends_at !== null && { ends_at }),
  }
}

/** Returns whether the form asks for another job. The API replaces the job as a whole. */
export const changesJob = (monitor: Monitor, draft: MonitorDraft): boolean =>
  JSON.stringify(draft.job) !== JSON.stringify(monitorDraftOf(monitor).job)

/** Returns the body that changes a monitor: only the settings that differ, since a new schedule starts anew. */
export function changesOf(monitor: Monitor, draft: MonitorDraft): Schemas['ChangeMonitorRequest'] {
  const before = monitorDraftOf(monitor)
  const schedule = scheduleOf(draft.schedule)
  const { name, ends, jitter_seconds, watch_ratings } = draft
  return {
    ...(name !== before.name && { name }),
    ...(JSON.stringify(schedule) !== JSON.stringify(scheduleOf(before.schedule)) && { schedule }),
    ...(ends !== before.ends && { ends_at: timestampOf(ends) }),
    ...(jitter_seconds !== before.jitter_seconds && { jitter_seconds }),
    ...(watch_ratings !== before.watch_ratings && { watch_ratings }),
    ...(changesJob(monitor, draft) && { job: jobRequestOf(draft.job) }),
  }
}

const timestampOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

/** Returns a timestamp as the browser's field for date and time shows it. */
function localTime(timestamp: string | undefined): string {
  if (timestamp === undefined) return ''
  const at = new Date(timestamp)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
