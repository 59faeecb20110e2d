import { mkdir, readdir } from 'node:fs/promises'
import { reasonOf } from '@placefleet/shared/command-line'
import { BSON, type Db, type Document } from 'mongodb'
import { HOLD, SETTLEMENT } from '../billing/ledger/holds.ts'
import { AppError } from '../http/errors.ts'
import { VERSION } from '../http/version.ts'
import { CLOSED } from '../jobs/phase.ts'
import { SCHEMA_VERSION } from '../mongo/connect.ts'
import { secretsKeyId } from '../secrets/store.ts'
import { OPEN_STATES } from '../tasks/documents.ts'
import { type ArchiveFile, createArchiveFile, exact, type RawDocument, readRaw } from './archive.ts'
import { LEFT_OUT, MARKS, type Manifest, writeManifest } from './manifest.ts'
import { checkUsable } from './restore.ts'

/**
 * Writes a backup of a database into an empty directory while jobs run.
 *
 * The embedded engine has no snapshots, so one pass in a fixed order makes the copy consistent: monitors, the ledger,
 * tasks with their references, jobs, places. The service stores places, then bills them, then closes their job. So a
 * job is never copied before its places are complete. It may be closed before its settlement is copied: then it is
 * copied as one that has to be closed, and the sweep bills it again. A restore leaves out jobs that were created or
 * deleted meanwhile and releases their holds. The result is a state that a crash could leave.
 * @throws AppError `conflict` when the directory is not empty or cannot be created, or this release cannot use the
 * database.
 */
export async function backUp(db: Db, dir: string): Promise<Manifest> {
  await checkUsable(db)
  await makeEmptyDir(dir)
  const began_at = new Date().toISOString()
  const copied = await copyAll(db, dir)
  return writeManifest(dir, {
    placefleet: VERSION,
    schema_version: SCHEMA_VERSION,
    began_at,
    ended_at: new Date().toISOString(),
    secrets_key_id: await secretsKeyId(db),
    ...copied,
    left_out: LEFT_OUT,
  })
}

async function makeEmptyDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const text = `${dir} cannot be created: ${reasonOf(cause)}. Name a directory that this user can write to.`
    throw new AppError('conflict', text, { cause })
  }
  if ((await readdir(dir)).length > 0) throw new AppError('conflict', `${dir} is not empty. Name a new directory.`)
}

async function copyAll(db: Db, dir: string): Promise<Pick<Manifest, 'files' | 'deleted_jobs'>> {
  const files: ArchiveFile[] = []
  const copy = async (name: string, how: CopyOptions = {}) => void files.push(await copyCollection(db, dir, name, how))

  // How far Stripe's events were read is copied before the payments, so events in between are read again.
  await copy('deployment', { keep: ({ raw, document }) => (MARKS.includes(document._id) ? undefined : raw) })
  for (const name of ['price_rules', 'enrolled_agents']) await copy(name)
  const users = new Set<string>()
  await copy('users', { note: ({ _id }) => users.add(_id) })
  const ofUsers = { keep: ({ raw, document }: RawDocument) => (users.has(document.user_id) ? raw : undefined) }
  // A monitor points to its run, which points to a job. An older monitor catches up with newer jobs.
  await copy('monitors', ofUsers)
  await copy('monitor_runs')
  await copy('stripe_events')
  for (const name of ['api_keys', 'checkouts']) await copy(name, ofUsers)

  const jobs = createCopiedJobs()
  // Each user's entries are read in the order of their chain, so that the copy has no gaps.
  await copy('ledger', { ...ofUsers, order: { user_id: 1, seq: 1 }, note: jobs.entry })
  await copy('tasks', { note: jobs.task })
  await copy('searched_cells') // a cell counts as searched once its places are stored
  await copy('references', { order: { job_id: 1, position: 1 } })
  await copy('job_proxies') // before the jobs: the proxies of a copied job that runs are in the copy
  await copy('jobs', { keep: jobs.job })
  await copy('dropped_places') // at once, because they go a minute after the end of their job
  await copy('results', { keep: ({ raw, document }) => (jobs.isSealedEarly(document) ? undefined : raw) })
  await copy('webhook_deliveries', ofUsers)
  await copy('webhooks', ofUsers)
  await copy('support_requests', ofUsers)

  const done = new Set([...files.map((file) => file.collection), ...Object.keys(LEFT_OUT)])
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (!done.has(name) && !name.startsWith('system.')) await copy(name)
  }
  const visible = db.collection('jobs').find({ listed: true }, { projection: { _id: 1 } })
  return { files, deleted_jobs: await jobs.goneFrom(visible) }
}

type CopyOptions = {
  /** Returns the bytes that the backup keeps of a document. */
  keep?: (read: RawDocument) => Uint8Array | undefined
  /** Is called with each document that is kept. */
  note?: (document: Document) => void
  order?: Record<string, 1 | -1>
}

async function copyCollection(
  db: Db,
  dir: string,
  name: string,
  { keep = ({ raw }) => raw, note, order = { _id: 1 } }: CopyOptions,
): Promise<ArchiveFile> {
  const file = createArchiveFile(dir, name)
  for await (const read of readRaw(db, name, order)) {
    const copied = keep(read)
    if (!copied) continue
    note?.(read.document)
    await file.write(copied)
  }
  return file.close()
}

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
    /**
     * Returns a job as the backup keeps it, or undefined when it does not. A sweep closes again what is ahead of the
     * copy.
     */
    job({ raw, document }: RawDocument): Uint8Array | undefined {
      if (!isWhole(document)) return undefined
      copied.add(document._id)
      return isAhead(document)
        ? BSON.serialize(Object.assign(exact(raw), { phase: 'closing', due_at: new Date() }))
        : raw
    },
    /**
     * Whether a document is the seal of a job that is not billed in the copy. Its chain stays open there, like the job.
     */
    isSealedEarly: ({ job_id, sealed }: Document): boolean => sealed === true && !settled.has(job_id),
    /** Returns the copied jobs that are not among those that are still visible. */
    async goneFrom(visible: AsyncIterable<Document>): Promise<string[]> {
      for await (const { _id } of visible) copied.delete(_id)
      return [...copied]
    },
  }
}
