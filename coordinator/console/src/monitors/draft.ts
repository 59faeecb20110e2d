import type { Schemas } from '../api/client.ts'
import type { Job } from '../jobs/job-queries.ts'
import type { Monitor } from './monitor-queries.ts'
import { newSchedule, type ScheduleDraft, scheduleDraftOf, scheduleOf } from './schedule.ts'

/** The settings of a monitor, as the form asks for them. */
export type MonitorDraft = {
  name: string
  schedule: ScheduleDraft
  /** In the time zone of this browser, e.g. 2026-03-02T06:00; empty: no end. */
  ends: string
  jitter_seconds: number
  only_new: boolean
  watch_ratings: boolean
  /** URLs, separated by white space. */
  proxies: string
}

/** Returns the settings that a new monitor of a job begins with. */
export const newDraft = ({ name, data }: Job): MonitorDraft => ({
  name,
  schedule: newSchedule(),
  ends: '',
  jitter_seconds: 0,
  only_new: data.only_new ?? false,
  watch_ratings: false,
  proxies: '',
})

/** Returns the present settings of a monitor. */
export const draftOf = ({ name, schedule, ends_at, job, ...monitor }: Monitor): MonitorDraft => ({
  name,
  schedule: scheduleDraftOf(schedule),
  ends: localTime(ends_at),
  jitter_seconds: monitor.jitter_seconds,
  only_new: job.only_new ?? false,
  watch_ratings: monitor.watch_ratings,
  proxies: '',
})

/** Returns the body that creates a monitor of a job. */
export function requestOf({ name, data }: Job, draft: MonitorDraft): Schemas['CreateMonitorRequest'] {
  const ends_at = timestampOf(draft.ends)
  return {
    name: draft.name,
    schedule: scheduleOf(draft.schedule),
    job: jobOf({ name, ...data }, draft),
    jitter_seconds: draft.jitter_seconds,
    watch_ratings: draft.watch_ratings,
    ...(ends_at !== null && { ends_at }),
  }
}

/** Returns the body that changes a monitor: only the settings that differ, since a new schedule starts anew. */
export function changesOf(monitor: Monitor, draft: MonitorDraft): Schemas['ChangeMonitorRequest'] {
  const before = draftOf(monitor)
  const schedule = scheduleOf(draft.schedule)
  const { name, ends, jitter_seconds, watch_ratings } = draft
  return {
    ...(name !== before.name && { name }),
    ...(JSON.stringify(schedule) !== JSON.stringify(scheduleOf(before.schedule)) && { schedule }),
    ...(ends !== before.ends && { ends_at: timestampOf(ends) }),
    ...(jitter_seconds !== before.jitter_seconds && { jitter_seconds }),
    ...(watch_ratings !== before.watch_ratings && { watch_ratings }),
    ...(draft.only_new !== before.only_new && { job: jobOf(monitor.job, draft) }),
  }
}

/** Returns the job of each run. The API never shows proxies, so they come from the form. */
function jobOf(
  { proxy_count: _, recheck_after, ...job }: Monitor['job'],
  { only_new, proxies }: MonitorDraft,
): Schemas['CreateJobRequest'] {
  const urls = proxies.split(/\s+/).filter((url) => url !== '')
  return {
    ...job,
    only_new,
    ...(only_new && recheck_after !== undefined && { recheck_after }),
    ...(urls.length > 0 && { proxies: urls }),
  }
}

const timestampOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

/** Returns a timestamp as the browser's field for date and time shows it. */
function localTime(timestamp: string | undefined): string {
  if (timestamp === undefined) return ''
  const at = new Date(timestamp)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
