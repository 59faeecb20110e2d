import type { z } from 'zod'
import { creditString } from '../billing/prices/cost.ts'
import { knowsArea } from './changes/detection.ts'
import type { MonitorDocument, RunDocument } from './documents.ts'
import type { RunStore } from './run-store.ts'
import { occurrencesAfter } from './schedule.ts'
import type { Monitor, MonitorRun } from './schema.ts'
import { type MonitorStore, timingOf } from './store.ts'

/** Due times that a monitor shows. */
const NEXT_RUNS = 5

export function presentRun(run: RunDocument): z.infer<typeof MonitorRun> {
  const { begins_at, state, reason, job_id, figures, started_at, ended_at } = run
  const { cost, ...counts } = figures ?? { places: 0, new: 0, changed: 0, gone: 0, back: 0, cost: 0 }
  return {
    due_at: begins_at.toISOString(),
    state,
    reason,
    job_id,
    ...counts,
    cost: creditString(cost),
    started_at: started_at?.toISOString(),
    ended_at: ended_at?.toISOString(),
  }
}

type MonitorReads = { monitors: Pick<MonitorStore, 'list'>; runs: Pick<RunStore, 'latest'> }

/** Returns a user's monitors as the API shows them. */
export async function listMonitors({ monitors, runs }: MonitorReads, user_id: string): Promise<Monitor[]> {
  return Promise.all((await monitors.list(user_id)).map((monitor) => presentMonitor(runs, monitor)))
}

export async function presentMonitor(runs: Pick<RunStore, 'latest'>, monitor: MonitorDocument): Promise<Monitor> {
  const now = new Date()
  const [last_run] = await runs.latest(monitor._id, 1)
  const { _id: id, name, job, proxy_count, schedule, jitter_seconds, ends_at, pause_reason } = monitor
  const from = monitor.watermark > now ? monitor.watermark : now
  const next = monitor.paused ? [] : occurrencesAfter(timingOf(monitor), from, NEXT_RUNS)
  return {
    id,
    name,
    job: { ...job, proxy_count },
    schedule,
    jitter_seconds,
    ends_at: ends_at?.toISOString(),
    watch_ratings: monitor.watch_ratings ?? false,
    knows_area: knowsArea(monitor.misses),
    paused: monitor.paused === true,
    pause_reason,
    next_runs: next.map(({ due_at }) => due_at.toISOString()),
    last_run: last_run && presentRun(last_run),
    created_at: monitor.created_at.toISOString(),
    updated_at: monitor.updated_at.toISOString(),
  }
}
