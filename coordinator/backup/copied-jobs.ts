import { BSON, type Document } from 'mongodb'
import { HOLD, SETTLEMENT } from '../billing/ledger/holds.ts'
import { CLOSED } from '../jobs/phase.ts'
import { OPEN_STATES } from '../tasks/documents.ts'
import { exact, type RawDocument } from './archive.ts'

/**
 * Creates the list of a backup's jobs. The ledger is copied first, then tasks, then jobs, then places. So a copied job
 * is never behind the ledger, and its places are complete once it is closed.
 */
export function createCopiedJobs() {
  const [held, settled] = [new Set<string>(), new Set<string>()]
  const [withTasks, working, copied] = [new Set<string>(), new Set<string>(), new Set<string>()]

  /** Whether a closed job has to be closed again: its settlement is not in the copy, or open tasks are. */
  const isAhead = ({ _id, phase }: Document) => CLOSED.includes(phase) && (!settled.has(_id) || working.has(_id))
  /** Whether a job is visible, and whole in the copy. One that was created during the backup may not be. */
  const isWhole = ({ _id, phase, listed }: Document) =>
    listed === true && held.has(_id) && (withTasks.has(_id) || phase === 'closing' || CLOSED.includes(phase))

  return {
    /** Notes a copied entry of the ledger. */
    entry({ reference_type, reference_id }: Document): void {
      if (reference_type === HOLD) held.add(reference_id)
      if (reference_type === SETTLEMENT) settled.add(reference_id)
    },
    /** Notes a copied task. A closed job has no open ones. */
    task({ job_id, state }: Document): void {
      withTasks.add(job_id)
      if (OPEN_STATES.includes(state)) working.add(job_id)
    },
    /** Returns a job as the backup keeps it, or undefined when it does not. A sweep closes again what is ahead of the copy. */
    job({ raw, document }: RawDocument): Uint8Array | undefined {
      if (!isWhole(document)) return undefined
      copied.add(document._id)
      return isAhead(document)
        ? BSON.serialize(Object.assign(exact(raw), { phase: 'closing', due_at: new Date() }))
        : raw
    },
    /** Whether a document is the seal of a job that is not billed in the copy. Its chain stays open there, like the job. */
    isSealedEarly: ({ job_id, sealed }: Document): boolean => sealed === true && !settled.has(job_id),
    /** Returns the copied jobs that are not among those that are still visible. */
    async goneFrom(visible: AsyncIterable<Document>): Promise<string[]> {
      for await (const { _id } of visible) copied.delete(_id)
      return [...copied]
    },
  }
}
