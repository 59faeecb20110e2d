import { type Db, type Document, MongoBulkWriteError } from 'mongodb'
import { createHolds, HOLD, SETTLEMENT } from '../billing/ledger/holds.ts'
import { createLedger } from '../billing/ledger/ledger.ts'
import { mongoLedgerStore } from '../billing/ledger/store.ts'
import { AppError } from '../http/errors.ts'
import { CLOSED } from '../jobs/phase.ts'
import { collection, deploymentOf, SCHEMA_VERSION, schemaVersion } from '../mongo/connect.ts'
import { BY_ID, ensureIndexes, type Index } from '../mongo/indexes.ts'
import { type ArchiveFile, checkArchiveFile, exact, readArchiveFile } from './archive.ts'
import { MARKS, type Manifest, readManifest } from './manifest.ts'

/** The number of ids in one query. */
const AT_ONCE = 1_000

/**
 * Releases the holds of jobs that are not in a restored database: they were created or deleted during the backup.
 * Returns how many. Safe to repeat.
 */
async function releaseLostHolds(db: Db): Promise<number> {
  const open = new Map<string, string>()
  const entries = (reference_type: string) => db.collection('ledger').find({ reference_type }, BY_ID) // reads all
  for await (const { user_id, reference_id } of entries(HOLD)) open.set(reference_id, user_id)
  for await (const { reference_id } of entries(SETTLEMENT)) open.delete(reference_id)
  const job_ids = [...open.keys()]
  for (let begin = 0; begin < job_ids.length; begin += AT_ONCE) {
    const batch = { _id: { $in: job_ids.slice(begin, begin + AT_ONCE) } }
    const jobs = db.collection<{ _id: string }>('jobs').find(batch, { projection: { _id: 1 } })
    for await (const { _id } of jobs) open.delete(_id)
  }
  const holds = createHolds(createLedger(mongoLedgerStore(db)))
  for (const [job_id, user_id] of open) await holds.void({ user_id, job_id })
  return open.size
}

/** Present while a restore runs, and after a restore that did not finish. */
type RestoreDocument = { _id: 'restore'; began_at: Date }

const MARK = { _id: 'restore' } as const
const DUPLICATE_KEY = 11_000
const BATCH = 500

const marksOf = deploymentOf<RestoreDocument>

/** The restored documents by collection. `skipped` counts those that changed, came or went during the backup. */
type Restored = { manifest: Manifest; restored: Record<string, number>; skipped: number }

/** The collections whose documents belong to a job. They are restored after the jobs. */
const OF_JOBS = [
  'job_proxies',
  'tasks',
  'references',
  'results',
  'searched_cells',
  'dropped_places',
  'webhook_deliveries',
]

/**
 * Checks every file of a backup and restores it into an empty database.
 * @throws AppError `conflict` when the backup is damaged or the database is not empty.
 */
export async function restore(db: Db, dir: string, indexes: readonly Index[]): Promise<Restored> {
  const manifest = await readManifest(dir)
  if (manifest.schema_version > SCHEMA_VERSION) {
    const release = `Restore it with Placefleet ${manifest.placefleet} or later.`
    throw new AppError('conflict', `The backup has schema version ${manifest.schema_version}. ${release}`)
  }
  for (const file of manifest.files) await checkArchiveFile(dir, file)
  await expectEmpty(db)
  await marksOf(db).insertOne({ ...MARK, began_at: new Date() })
  await ensureIndexes(
    db,
    indexes.filter((index) => index.unique),
  )
  const restored: Record<string, number> = {}
  let skipped = 0
  const jobs = createRestoredJobs(manifest.deleted_jobs)
  const isOfJobs = ({ collection }: ArchiveFile) => OF_JOBS.includes(collection)
  for (const file of manifest.files.toSorted((one, other) => Number(isOfJobs(one)) - Number(isOfJobs(other)))) {
    const inserted = await restoreFile(db, dir, file, jobs)
    restored[file.collection] = inserted
    skipped += file.documents - inserted
  }
  await ensureIndexes(db, indexes)
  await releaseLostHolds(db)
  await marksOf(db).deleteOne(MARK)
  return { manifest, restored, skipped }
}

/**
 * Checks that this release can use a database: no restore into it is unfinished, and no later release changed it too far.
 * A write during a restore may take the id or the email of a document, which the restore then leaves out.
 * @throws AppError `conflict` that says what to do.
 */
export async function checkUsable(db: Db): Promise<void> {
  if ((await marksOf(db).findOne(MARK)) !== null) {
    const advice = 'Wait until it ends, or empty the database and restore again.'
    throw new AppError('conflict', `A restore into this database has not finished. ${advice}`)
  }
  const version = await schemaVersion(db)
  if (version <= SCHEMA_VERSION) return
  throw new AppError(
    'conflict',
    `The database has schema version ${version}, but this release of Placefleet understands versions up to ${SCHEMA_VERSION}. ` +
      'Start the release that changed it, or restore a backup from before the upgrade (see UPGRADING.md).',
  )
}

async function expectEmpty(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const foreign = name === 'deployment' ? { _id: { $nin: MARKS.filter((mark) => mark !== 'restore') } } : {}
    const document = await collection<{ _id: string }>(db, name).findOne(foreign, { projection: { _id: 1 } })
    if (document === null || name.startsWith('system.')) continue
    const text = `The database is not empty: ${name} has documents. Stop all coordinators, and name an empty database.`
    throw new AppError('conflict', text)
  }
}

/**
 * Creates the choice of documents: all but those of jobs that are not restored, and the proxies of jobs that are
 * closed.
 */
function createRestoredJobs(deleted: string[]) {
  const [gone, here, open] = [new Set<unknown>(deleted), new Set<unknown>(), new Set<unknown>()]
  return ({ collection }: ArchiveFile, { _id, job_id, phase }: Document): boolean => {
    if (collection === 'jobs') {
      if (gone.has(_id)) return false
      if (!CLOSED.includes(phase)) open.add(_id)
      here.add(_id)
      return true
    }
    if (collection === 'job_proxies') return open.has(_id)
    return job_id === undefined || !OF_JOBS.includes(collection) || here.has(job_id)
  }
}

/** Restores one collection and returns the number of documents. Of documents with the same unique key, only the first is kept. */
async function restoreFile(
  db: Db,
  dir: string,
  file: ArchiveFile,
  isRestored: (file: ArchiveFile, document: Document) => boolean,
): Promise<number> {
  let inserted = 0
  let batch: Document[] = []
  const insert = async () => {
    if (batch.length > 0) inserted += await insertNew(db, file.collection, batch)
    batch = []
  }
  for await (const raw of readArchiveFile(dir, file)) {
    const document = exact(raw)
    if (isRestored(file, document)) batch.push(document)
    if (batch.length === BATCH) await insert()
  }
  await insert()
  return inserted
}

async function insertNew(db: Db, name: string, documents: Document[]): Promise<number> {
  try {
    return (await db.collection(name).insertMany(documents, { ordered: false })).insertedCount
  } catch (error) {
    if (error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY) return error.insertedCount
    throw error
  }
}
