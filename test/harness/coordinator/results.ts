import {
  type ResultDocument,
  resultsOf,
  type SealDocument,
  type TierCounts,
} from '@placefleet/coordinator/results/documents'
import { NO_TIERS } from '@placefleet/coordinator/results/store'
import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db } from 'mongodb'

let lastId = 0
const chains = new Map<string, { position: number; tiers: TierCounts }>()

/** Returns the next position of a job's chain, with the counts up to it. */
function nextInChain(job_id: string, web_presence?: WebPresence) {
  const { position, tiers } = chains.get(job_id) ?? { position: 0, tiers: NO_TIERS }
  const counted = web_presence ? { ...tiers, [web_presence]: tiers[web_presence] + 1 } : tiers
  const next = { position: position + 1, tiers: counted }
  chains.set(job_id, next)
  return next
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
    ...nextInChain(job_id, web_presence),
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
    .collection<SealDocument>('results')
    .insertOne({ _id: lastId, job_id, position: nextInChain(job_id).position, sealed: true })
}
