import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Collection, Db } from 'mongodb'
import { collection } from '../connect.ts'
import { isDuplicateKey } from '../failures.ts'
import { fromNow } from '../time.ts'
import { MIGRATIONS, type Migration } from './steps.ts'

/** The schema of a database. */
type SchemaDocument = {
  _id: 'schema'
  /** The id of the last applied step. */
  version: number
  /** The oldest schema version whose programs work with this database; absent: only `version`. */
  readable_by?: number
  /** The coordinator that migrates now, and when its lease expires. */
  lease?: { holder: string; until: Date }
}

const LEASE_SECONDS = 30
const RENEW_MS = 10_000
const POLL_MS = 250

const schemaOf = (db: Db): Collection<SchemaDocument> => collection(db, 'deployment')

const latestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.id ?? 0

/** What `ops migrate status` shows. */
export type SchemaStatus = { version: number; known: number; pending: { id: number; name: string }[] }

/** Returns the schema version of a database, and the steps that this program would apply. */
export async function schemaStatus(db: Db, migrations: readonly Migration[] = MIGRATIONS): Promise<SchemaStatus> {
  const version = (await schemaOf(db).findOne({ _id: 'schema' }))?.version ?? 0
  const pending = migrations.filter(({ id }) => id > version).map(({ id, name }) => ({ id, name }))
  return { version, known: latestOf(migrations), pending }
}

/**
 * Brings the schema of a database up to date. One coordinator runs the steps under a lease; the others wait for it and
 * take over when it dies.
 * @throws Error for the operator when a newer release has migrated the database beyond what this one understands.
 */
export async function migrate(db: Db, log: Logger, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const latest = latestOf(migrations)
  for (;;) {
    const schema = await currentSchema(db)
    if (latest < (schema.readable_by ?? schema.version)) throw tooNew(schema.version, latest)
    if (schema.version >= latest) return
    const holder = randomUUID()
    if (await takeLease(db, holder)) await applySteps(db, log, migrations, holder)
    else await sleep(POLL_MS)
  }
}

const tooNew = (version: number, latest: number) =>
  new Error(
    `The database has schema version ${version}, but this release of Placefleet understands versions up to ${latest}. ` +
      'Start the release that migrated it, or restore a backup from before the upgrade (see UPGRADING.md).',
  )

async function currentSchema(db: Db): Promise<SchemaDocument> {
  const options = { upsert: true, returnDocument: 'after' } as const
  const read = () => schemaOf(db).findOneAndUpdate({ _id: 'schema' }, { $setOnInsert: { version: 0 } }, options)
  // Two concurrent first starts may both try to insert. The loser reads the winner's document the second time.
  const schema = await read().catch((error) => (isDuplicateKey(error) ? read() : Promise.reject(error)))
  return schema ?? { _id: 'schema', version: 0 }
}

async function takeLease(db: Db, holder: string): Promise<boolean> {
  const expired = { $lt: [{ $ifNull: ['$lease.until', new Date(0)] }, '$$NOW'] }
  const lease = { holder, until: fromNow(LEASE_SECONDS, 'second') }
  const taken = await schemaOf(db).updateOne({ _id: 'schema', $expr: expired }, [{ $set: { lease } }])
  return taken.modifiedCount === 1
}

async function applySteps(db: Db, log: Logger, migrations: readonly Migration[], holder: string): Promise<void> {
  const mine = { _id: 'schema', 'lease.holder': holder } as const
  const renew = () => schemaOf(db).updateOne(mine, [{ $set: { 'lease.until': fromNow(LEASE_SECONDS, 'second') } }])
  const renewal = setInterval(() => void canFail(log, 'renewing the lease of a migration', renew()), RENEW_MS)
  try {
    const { version } = await currentSchema(db)
    for (const { id, name, run } of migrations.filter((step) => step.id > version)) {
      log.info({ id, name }, 'migrating the database')
      await run(db)
      // The previous release still works with this database, because it tolerates one newer step.
      const applied = { $set: { version: id, readable_by: id - 1 } }
      if ((await schemaOf(db).updateOne(mine, applied)).matchedCount === 0) return // the lease was lost
    }
  } finally {
    clearInterval(renewal)
    await canFail(log, 'releasing the lease of a migration', schemaOf(db).updateOne(mine, { $unset: { lease: '' } }))
  }
}
