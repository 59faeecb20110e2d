import { createHash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { searchedPlaceErasure } from '../coverage/store.ts'
import { AppError } from '../http/errors.ts'
import { probeErasure, unendedJobsWith } from '../jobs/erasure.ts'
import { knownPlaceErasure } from '../known-places/documents.ts'
import { collection } from '../mongo/connect.ts'
import { type DocumentId, type ErasureStep, eraseInBatches } from '../mongo/erasure.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { watchedPlaceErasure } from '../monitors/changes/store.ts'
import { resultErasure, reviewErasure } from '../results/erasure.ts'
import { referenceErasure } from '../tasks/plan.ts'

/** Whose data is erased: an author by the digits of their page, or a place by its key. */
type ErasedSubject = { kind: 'author' | 'place'; id: string }

/** The record of an erasure. It does not reveal whose data was erased, except to a reader who knows the erased id. */
type ErasureDocument = {
  _id: string
  kind: ErasedSubject['kind']
  /** SHA-256 of the id in hex. */
  subject: string
  began_at: Date
  /** How many steps are done, and the last document that the next one has looked at. */
  step: number
  after?: DocumentId
  /** The number of stored places that changed. */
  places: number
  ended_at?: Date
}

const erasuresOf = (db: Db): Collection<ErasureDocument> => collection(db, 'erasures')

/** The id of the record, and the number of stored places that changed. */
type Erasure = { record: string; places: number }

/**
 * Erases an author or a place from everything that is stored, in batches. One that was interrupted goes on where it was
 * when it is repeated within a day. Safe to repeat, and to run twice at once.
 * @throws AppError `conflict` while a job that may store the place again has not ended.
 */
export async function erase(db: Db, subject: ErasedSubject): Promise<Erasure> {
  await checkNoJobStoresAgain(db, subject)
  const record = await recordOf(db, subject)
  const { _id } = record
  const steps = stepsOf(db, subject)
  for (let nth = record.step; nth < steps.length; nth++) {
    const step = steps[nth]
    if (!step) break
    await eraseInBatches(db, step, nth === record.step ? record.after : undefined, async (after, changed) => {
      const places = nth === 0 ? changed : 0
      await erasuresOf(db).updateOne({ _id }, { $set: { step: nth, after }, $inc: { places } })
    })
    await erasuresOf(db).updateOne({ _id }, { $set: { step: nth + 1 }, $unset: { after: '' } })
  }
  try {
    await checkNoJobStoresAgain(db, subject) // one may have listed the place meanwhile
  } catch (error) {
    await erasuresOf(db).updateOne({ _id }, { $set: { step: 0 } })
    throw error
  }
  if (subject.kind === 'place') await eraseInBatches(db, referenceErasure(db, subject.id))
  const ended = { $set: { ended_at: new Date() } }
  const erasure = await erasuresOf(db).findOneAndUpdate({ _id }, ended, { returnDocument: 'after' })
  return { record: _id, places: erasure?.places ?? 0 }
}

/** The first step is that of the stored places. */
function stepsOf(db: Db, { kind, id }: ErasedSubject): ErasureStep[] {
  if (kind === 'author') return [reviewErasure(db, id)]
  return [
    resultErasure(db, id),
    ...knownPlaceErasure(db, id),
    ...watchedPlaceErasure(db, id),
    ...searchedPlaceErasure(db, id),
    probeErasure(db, id),
  ]
}

async function checkNoJobStoresAgain(db: Db, { kind, id }: ErasedSubject): Promise<void> {
  const jobs = kind === 'place' ? await unendedJobsWith(db, id) : []
  if (jobs.length === 0) return
  const [those, them] = jobs.length === 1 ? ['1 job that lists', 'it'] : [`${jobs.length} jobs that list`, 'them']
  const text = `${those} this place would store it again: ${jobs.slice(0, 3).join(', ')}. Cancel ${them} or wait for the end, then repeat this command.`
  throw new AppError('conflict', text)
}

/** What was stored since an older erasure began may be behind the place where it stopped. */
const RESUMED_WITHIN_MS = 24 * 3_600_000

/** Returns the record of an interrupted erasure, or a new one. */
async function recordOf(db: Db, { kind, id }: ErasedSubject): Promise<ErasureDocument> {
  const subject = createHash('sha256').update(id).digest('hex')
  const began_at = { $gt: new Date(Date.now() - RESUMED_WITHIN_MS) }
  const interrupted = await erasuresOf(db).findOne(
    { kind, subject, ended_at: { $exists: false }, began_at },
    { sort: { _id: -1 } }, // in the order of time, too
  )
  if (interrupted) return interrupted
  const record = { _id: timeOrderedUuid(), kind, subject, began_at: new Date(), step: 0, places: 0 }
  await erasuresOf(db).insertOne(record)
  return record
}
