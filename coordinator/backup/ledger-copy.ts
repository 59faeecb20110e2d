import type { Db, Document } from 'mongodb'
import type { ArchiveWriter } from './archive.ts'
import { readRaw } from './archive.ts'

const HOLD = 'job_hold'
const SETTLEMENT = 'job_settlement'

/** Reads each user's entries in the order of their chain, so that the copy has no gaps. */
const CHAIN = { user_id: 1, seq: 1 } as const

/** Copies the ledger, and tracks which jobs have a hold and which are settled in the copy. */
export function createLedgerCopy(db: Db, file: ArchiveWriter, isCopied: (user_id: string) => boolean) {
  const lastSeq = new Map<string, number>()
  const holders = new Map<string, string>()
  const settled = new Set<string>()

  const copy = async (filter: Document): Promise<void> => {
    for await (const { raw, document } of readRaw(db, 'ledger', { filter, order: CHAIN })) {
      const { user_id, seq, reference_type, reference_id } = document
      if (!isCopied(user_id)) continue
      await file.write(raw)
      lastSeq.set(user_id, seq)
      if (reference_type === HOLD) holders.set(reference_id, user_id)
      if (reference_type === SETTLEMENT) settled.add(reference_id)
    }
  }

  return {
    copyAll: (): Promise<void> => copy({}),
    /** Copies the entries of these users that were appended since the last copy. */
    async copyNew(user_ids: Iterable<string>): Promise<void> {
      for (const user_id of new Set(user_ids)) await copy({ user_id, seq: { $gt: lastSeq.get(user_id) ?? 0 } })
    },
    /** The ids of the jobs that have or had a hold. */
    holders: (): string[] => [...holders.keys()],
    isHolder: (job_id: string): boolean => holders.has(job_id),
    isSettled: (job_id: string): boolean => settled.has(job_id),
    ownerOf: (job_id: string): string | undefined => holders.get(job_id),
  }
}

export type LedgerCopy = ReturnType<typeof createLedgerCopy>
