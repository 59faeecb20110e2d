import type { ResultDocument } from '@placefleet/coordinator/results/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db } from 'mongodb'

let lastId = 0
const positions = new Map<string, number>()

/** Returns the next position of a job's chain. */
function nextPosition(job_id: string): number {
  const position = (positions.get(job_id) ?? 0) + 1
  positions.set(job_id, position)
  return position
}

/** Returns a stored place, with the fields that a test needs. */
export function resultDocument(
  { user_id, job_id }: { user_id: string; job_id: string },
  place: Partial<Omit<Place, 'place_key'>> = {},
  web_presence: WebPresence = 'none',
): ResultDocument {
  lastId += 1
  return {
    _id: lastId,
    user_id,
    job_id,
    position: nextPosition(job_id),
    place_key: `0x0:0x${lastId.toString(16)}`,
    web_presence,
    place: { title: `Place ${lastId}`, ...place },
    totals: { places: 1, reviews: 0, images: 0 },
    task_id: 'task',
    attempt: 1,
    agent_id: 'agent',
    created_at: new Date('2026-01-02T03:04:05.678Z'),
  }
}

/** Stores such places, and then the seal of the job's chain. */
export async function storeResults(db: Db, job_id: string, documents: ResultDocument[]): Promise<void> {
  if (documents.length > 0) await resultsOf(db).insertMany(documents)
  lastId += 1
  await db
    .collection<{ _id: number; job_id: string; position: number; sealed: true }>('results')
    .insertOne({ _id: lastId, job_id, position: nextPosition(job_id), sealed: true })
}
