import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Document } from 'mongodb'
import { CLOSED } from '../jobs/phase.ts'
import type { ArchiveWriter } from './archive.ts'
import { type RawDocument, readRaw } from './archive.ts'
import type { LedgerCopy } from './ledger-copy.ts'

/** How often jobs that disagree with the copied ledger are read again, and the pause before each time. */
const ROUNDS = 50
const PAUSE_MS = 100

/** The number of ids in one query. */
const AT_ONCE = 1_000

/**
 * Copies the jobs and the ledger consistently: each closed job is settled in the copied ledger, and each job with a hold
 * in it is copied. Active jobs, and jobs created during the copy, are read after the ledger. Returns the ids of the
 * copied jobs.
 */
export async function copyJobs(
  db: Db,
  file: ArchiveWriter,
  ledger: LedgerCopy,
  isCopied: (user_id: string) => boolean,
): Promise<Set<string>> {
  const copied = new Set<string>()
  const open: string[] = []
  for await (const { raw, document } of readRaw(db, 'jobs')) {
    const { _id, user_id } = document
    if (!isCopied(user_id)) continue
    if (!isClosed(document)) open.push(_id)
    else {
      copied.add(_id)
      await file.write(raw)
    }
  }
  await ledger.copyAll()
  for (const [job_id, { raw }] of await readOpenJobs(db, ledger, copied, open)) {
    copied.add(job_id)
    await file.write(raw)
  }
  return copied
}

const isClosed = (job: Document | undefined): boolean => CLOSED.includes(job?.phase)

/** Reads the open jobs and newer ones until they agree with the copied ledger. Copies new entries of the ledger as well. */
async function readOpenJobs(db: Db, ledger: LedgerCopy, copied: Set<string>, open: string[]) {
  const kept = new Map<string, RawDocument>()
  const isMissing = (id: string) => !copied.has(id) && !kept.has(id) && !ledger.isSettled(id)
  const isDone = (id: string) => isClosed(kept.get(id)?.document)
  // A job without a hold in the copied ledger is not created yet.
  let todo = [...new Set([...open.filter(ledger.isHolder), ...ledger.holders().filter(isMissing)])]
  for (let round = 0; todo.length > 0 && round < ROUNDS; round++) {
    if (round > 0) await sleep(PAUSE_MS)
    for await (const found of readSome(db, todo)) kept.set(found.document._id, found)
    const ahead = todo.filter((id) => (isDone(id) || !kept.has(id)) && !ledger.isSettled(id))
    await ledger.copyNew(ahead.flatMap((id) => ledger.ownerOf(id) ?? []))
    const behind = [...kept.keys()].filter((id) => !isDone(id) && ledger.isSettled(id))
    todo = [...behind, ...ledger.holders().filter(isMissing)]
  }
  return kept
}

async function* readSome(db: Db, job_ids: string[]): AsyncGenerator<RawDocument> {
  for (let begin = 0; begin < job_ids.length; begin += AT_ONCE) {
    yield* readRaw(db, 'jobs', { filter: { _id: { $in: job_ids.slice(begin, begin + AT_ONCE) } } })
  }
}
