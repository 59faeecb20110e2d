import { setTimeout as sleep } from 'node:timers/promises'
import type { Collector } from '@placefleet/agent/collect/collector'
import type { Task } from '@placefleet/agent/collect/task'
import type { Place, PlaceReference } from '@placefleet/shared/place'

/** No pace and short rests, because the site is simulated. */
export const UNPACED = { pace: undefined, inFlight: 1, restMs: 1_000 }

/** The parameters of all tasks of a job, and how many tasks run at once. */
export type JobOfTasks = {
  readonly keyword: string
  readonly parameters: Task['parameters']
  readonly proxies: readonly string[]
  readonly slots: number
  readonly places_wanted: number
}

/** `failures`: spent attempts. `snoozes`: how often a task waited for its exits. `blocked`: places that three exits refused. */
export type CollectedJob = {
  readonly places: Place[]
  readonly listed: number
  readonly failures: string[]
  readonly snoozes: number
  readonly blocked: number
}

/**
 * The values of a coordinator: places per task, and attempts before a task fails. Not imported from there, because the
 * memory of an agent is measured without the coordinator's libraries.
 */
export const TASK_SIZE = 10
const ATTEMPTS = 3

/**
 * Runs the tasks of a job on one collector, like a fleet: one search, then its places in tasks of ten. Returns the
 * places so far when `signal` aborts.
 */
export async function collectJob(
  collector: Collector,
  job: JobOfTasks,
  signal: AbortSignal = new AbortController().signal,
): Promise<CollectedJob> {
  const places = new Map<string, Place>()
  const listed = new Map<string, PlaceReference>()
  const failures: string[] = []
  let snoozes = 0
  let blocked = 0
  const sink = {
    place: async (place: Place) => void places.set(place.place_key, place),
    references: async (found: PlaceReference[]) => {
      for (const reference of found) listed.set(reference.place_key, reference)
    },
    input: () => undefined,
    cells: () => undefined,
  }
  const attempt = async (task_id: string, work: Task['work']) => {
    const { parameters, proxies, places_wanted } = job
    const known = { task_id, job_id: 'job', parameters, proxies, places_wanted }
    for (let nth = 1; nth <= ATTEMPTS; ) {
      const task = { ...known, work, stored_place_keys: [...places.keys()] }
      const end = await collector.collect(task, sink, signal)
      if (end.kind === 'finished') {
        blocked += end.outcomes.blocked
        return
      }
      if (end.kind === 'snoozed') {
        snoozes++ // spends no attempt
        await sleep(Math.max(0, end.until - Date.now()), undefined, { signal })
        continue
      }
      nth++
      failures.push(`${end.code}: ${end.message}`)
    }
  }
  const inTime = async (work: Promise<unknown>) => {
    await work.catch((error: unknown) => {
      if (!signal.aborted) throw error
      failures.push('late')
    })
  }
  await inTime(attempt('search', { kind: 'discover', keyword: job.keyword }))
  const references = [...listed.values()]
  const chunks = Array.from({ length: Math.ceil(references.length / TASK_SIZE) }, (_, nth) => nth)
  const slot = async () => {
    for (let nth = chunks.shift(); nth !== undefined; nth = chunks.shift()) {
      const part = references.slice(nth * TASK_SIZE, (nth + 1) * TASK_SIZE)
      await attempt(`places ${nth}`, { kind: 'collect', references: part })
    }
  }
  await inTime(Promise.all(Array.from({ length: job.slots }, slot)))
  return { places: [...places.values()], listed: listed.size, failures, snoozes, blocked }
}
