import { isFinal } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import { storedPlaces } from '../../results/store.ts'
import { findInputs } from '../../tasks/inputs.ts'
import { endedCollectTasks } from '../../tasks/of-job.ts'
import { taskOfPosition } from '../../tasks/plan.ts'
import type { JobDocument } from '../documents.ts'
import type { JobInput } from './schema.ts'
import { type InputsState, inputKey, inputStatus } from './status.ts'

/** Returns what became of the inputs of a job from `start` on, at most `limit`. Three indexed reads. */
export async function readInputs(
  db: Db,
  job: Pick<JobDocument, '_id' | 'data' | 'status' | 'task_size'>,
  { start, limit }: { start: number; limit: number },
): Promise<JobInput[]> {
  const { places = [] } = job.data
  const keys = places.slice(0, start + limit).map(inputKey)
  const shown = keys.slice(start)
  const state = await stateOf(db, job, [...new Set(shown)])
  const first = new Map(keys.map((key, index) => [key, index] as const).toReversed())
  return shown.map((key, nth) => inputStatus(places[start + nth] ?? '', first.get(key) === start + nth, state))
}

/**
 * The tasks are read first: what one that has ended brought is there, so nothing is called failed that is only late.
 */
async function stateOf(
  db: Db,
  { _id: job_id, status, task_size }: Pick<JobDocument, '_id' | 'status' | 'task_size'>,
  keys: string[],
): Promise<InputsState> {
  const isOver = isFinal(status)
  const tried = isOver ? new Set<number>() : await endedCollectTasks(db, job_id)
  const known = await findInputs(db, job_id, keys)
  const byKey = new Map(known.map(({ place_key, ...input }) => [place_key, input]))
  const placeKeys = keys.map((key) => byKey.get(key)?.found_key ?? key)
  const stored = new Map((await storedPlaces(db, job_id, placeKeys)).map((place) => [place.place_key, place]))
  return { references: byKey, stored, isOver, isTried: (position) => tried.has(taskOfPosition(position, task_size)) }
}
