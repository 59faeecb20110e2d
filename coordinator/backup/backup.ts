import { mkdir, readdir } from 'node:fs/promises'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Db, Document } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { VERSION } from '../http/version.ts'
import { pauseRemovals } from '../mongo/removal-pause.ts'
import { SCHEMA_VERSION } from '../mongo/schema.ts'
import { secretsKeyOf } from '../secrets/documents.ts'
import { type ArchiveFile, createArchiveFile, readRaw } from './archive.ts'
import { copyJobs } from './job-copy.ts'
import { createLedgerCopy } from './ledger-copy.ts'
import { LEFT_OUT, MARKS, type Manifest, writeManifest } from './manifest.ts'

/**
 * Writes a backup of a database into an empty directory while jobs run.
 *
 * The embedded engine has no snapshots, so the order makes the copy consistent. The service stores a place, then bills
 * it, then ends its job. The backup reads in the opposite order: monitors with their runs, jobs with the ledger, then
 * tasks, searched cells, references and places. So a document is copied before the documents that it depends on. Newer
 * documents of jobs that are not copied are omitted. Removals are paused during the copy. The result is a state that a
 * crash could leave, and the sweep repairs it.
 * @throws AppError `conflict` when the directory is not empty or cannot be created.
 */
export async function backUp(db: Db, dir: string): Promise<Manifest> {
  await makeEmptyDir(dir)
  const began_at = new Date().toISOString()
  const files = await pauseRemovals(db, () => copyAll(db, dir))
  const key = await secretsKeyOf(db).findOne({ _id: 'secrets_key' })
  return writeManifest(dir, {
    placefleet: VERSION,
    schema_version: SCHEMA_VERSION,
    began_at,
    ended_at: new Date().toISOString(),
    secrets_key_id: key?.key_id,
    files,
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

async function copyAll(db: Db, dir: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const copy = async (name: string, how: CopyOptions = {}) => void files.push(await copyCollection(db, dir, name, how))

  await copy('deployment', { belongs: ({ _id }) => !MARKS.includes(_id) })
  for (const name of ['price_rules', 'enrolled_agents']) await copy(name)
  const users = new Set<string>()
  await copy('users', { belongs: ({ _id }) => users.add(_id) !== undefined })
  const ofUsers = { belongs: ({ user_id }: Document) => users.has(user_id) }
  // A monitor points to its run, which points to a job. An older monitor catches up with newer jobs.
  await copy('monitors', ofUsers)
  await copy('monitor_runs')
  // The cursor of Stripe is copied before the payments, so events in between are read from Stripe again.
  for (const name of ['stripe_cursor', 'stripe_events']) await copy(name)
  for (const name of ['api_keys', 'checkouts']) await copy(name, ofUsers)

  const [jobFile, ledgerFile] = [createArchiveFile(dir, 'jobs'), createArchiveFile(dir, 'ledger')]
  const ledger = createLedgerCopy(db, ledgerFile, (user_id) => users.has(user_id))
  const jobs = await copyJobs(db, jobFile, ledger, (user_id) => users.has(user_id))
  files.push(await jobFile.close(), await ledgerFile.close())

  const ofJobs = ({ job_id }: Document) => jobs.has(job_id)
  await copy('tasks', { belongs: ofJobs })
  // A cell counts as searched once its places are stored.
  await copy('searched_cells', { belongs: ofJobs })
  await copy('references', { belongs: ofJobs, order: { job_id: 1, position: 1 } })
  // A chain sealed after the ledger was copied stays open in the backup, like the tasks of its job.
  const isSealedEarly = ({ job_id, sealed }: Document) => sealed === true && !ledger.isSettled(job_id)
  await copy('results', { belongs: (document) => ofJobs(document) && !isSealedEarly(document) })
  await copy('webhook_deliveries', {
    belongs: ({ user_id, job_id }) => users.has(user_id) && (job_id === undefined || jobs.has(job_id)),
  })
  await copy('webhooks', ofUsers)
  await copy('support_requests', ofUsers)

  const done = new Set([...files.map((file) => file.collection), ...Object.keys(LEFT_OUT)])
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (!done.has(name) && !name.startsWith('system.')) await copy(name)
  }
  return files
}

type CopyOptions = { belongs?: (document: Document) => boolean; order?: Record<string, 1 | -1> }

async function copyCollection(
  db: Db,
  dir: string,
  name: string,
  { belongs = () => true, order = { _id: 1 } }: CopyOptions,
): Promise<ArchiveFile> {
  const file = createArchiveFile(dir, name)
  for await (const { raw, document } of readRaw(db, name, { order })) {
    if (belongs(document)) await file.write(raw)
  }
  return file.close()
}
