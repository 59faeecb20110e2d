import { cellKey } from '@placefleet/coordinator/coverage/documents'
import { recordSearches, searchUpdates } from '@placefleet/coordinator/coverage/store'
import { createJob } from '@placefleet/coordinator/jobs/create'
import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { findJob } from '@placefleet/coordinator/jobs/store'
import { type TaskDocument, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { type Cell, holds } from '@placefleet/shared/cell'
import { CreateJobRequest } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import type { PlaceReference } from '@placefleet/shared/place'
import { expect } from 'vitest'
import { workOn } from '../../harness/coordinator/work-on.ts'
import { startMonitorWorld } from '../monitors/monitor-world.ts'

/** The area of the job, and its places: 45, in rows, so that some cells have more than one answer holds. */
export const AREA = { lat: '52.05', lon: '13.1', radius: 7_000 }
export const PLACES: readonly PlaceReference[] = Array.from({ length: 45 }, (_, n) => ({
  place_key: `0x${n.toString(16)}:0x1`,
  latitude: 52.02 + 0.004 * Math.floor(n / 5),
  longitude: 13.07 + 0.002 * (n % 5),
}))

/** The most places of one answer. A search that lists as many is cut. */
const MOST_IN_ANSWER = 8

type World = Awaited<ReturnType<typeof startMonitorWorld>>
type Coordinator = World['coordinator']

/** Coordinators without agents. The world searches and collects like agents, and writes what the agent port writes. */
export async function startAreaWorld(whenOver: (end: () => Promise<void>) => void) {
  const world = await startMonitorWorld(whenOver)
  const { db, coordinator } = world
  const find = async (job_id: string) => (await findJob(coordinator.db, job_id)) ?? expect.fail('the job is gone')

  /** A job that exhausts the area. */
  const create = async (more: object = {}): Promise<string> => {
    const request = CreateJobRequest.parse({
      name: 'j',
      keywords: ['bakery'],
      language: 'en',
      exhaust: true,
      max_cost: '0.9',
      ...AREA,
      ...more,
    })
    const creation = { user_id: await world.user(), source: 'api' as const, paid: false, concurrent_jobs: 1, request }
    const deps = { ...coordinator, creationLimit: { take: async () => undefined } }
    return (await createJob(deps, creation)).job_id
  }

  /** The tasks of a job that an agent may take. */
  const released = (job_id: string): Promise<TaskDocument[]> =>
    tasksOf(db).find({ job_id, state: 'released' }).toArray()

  /** Runs a job until it has ended. Calls `happens` before each look at the job, and before its tasks are run. */
  const runJob = async (
    job_id: string,
    happens: () => Promise<unknown> = async () => undefined,
  ): Promise<JobDocument> => {
    for (let step = 0; step < 200; step++) {
      await happens()
      await coordinator.engine.reconcile(job_id)
      if (isFinal((await find(job_id)).status)) {
        await workOn(world.db, coordinator, job_id)
        return find(job_id)
      }
      const tasks = await released(job_id)
      await happens()
      for (const task of tasks) await runTask(coordinator, task)
    }
    return expect.fail('the job did not end')
  }
  return { ...world, find, create, released, runJob }
}

/** Runs a task as an agent does, through one coordinator. Does nothing if it has ended. */
export async function runTask(by: Coordinator, { _id, job_id }: TaskDocument): Promise<void> {
  const holder = { agent_id: 'agent', stream: crypto.randomUUID() }
  const task = await by.leases.claim(_id, holder)
  if (!task) return
  const job = await by.runningJobs(job_id)
  if (!job) return
  if (task.kind === 'discover') await search(by, task)
  else await collect(by, task, job)
  await by.leases.complete({ ...holder, task_id: _id, attempt: task.attempt }, {})
}

async function search(by: Coordinator, { job_id, keyword = '', ordinal, cells = [] }: TaskDocument): Promise<void> {
  for (const [index, bounds] of cells.entries()) {
    const listed = listedIn(bounds)
    await by.references.add(job_id, listed)
    const state = listed.length === MOST_IN_ANSWER ? 'cut' : 'searched'
    const place_keys = listed.map(({ place_key }) => place_key)
    const look = cells.slice(0, index).filter((cell) => cellKey(cell) === cellKey(bounds)).length
    const search = { bounds, state, places: listed.length, place_keys, look } as const
    await recordSearches(by.db, searchUpdates(by.db, { job_id, keyword, ordinal }, [search]))
  }
}

const listedIn = (bounds: Cell) => PLACES.filter((place) => holds(bounds, place)).slice(0, MOST_IN_ANSWER)

async function collect(by: Coordinator, task: TaskDocument, job: JobDocument): Promise<void> {
  const { _id: task_id, job_id, ordinal, attempt } = task
  const references = await by.references.ofTask(job_id, ordinal, job.task_size)
  const places = references.map(({ place_key }) => ({
    place_key,
    place: { place_key, title: place_key },
    web_presence: 'none' as const,
  }))
  const { user_id, data } = job
  const to = { user_id, job_id, task_id, attempt, agent_id: 'agent', max_results: data.max_results }
  await by.results.append({ ...to, affordable: () => true }, places)
}
