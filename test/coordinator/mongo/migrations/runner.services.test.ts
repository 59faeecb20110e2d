import { migrate, schemaStatus } from '@placefleet/coordinator/mongo/migrations/runner'
import { MIGRATIONS, type Migration } from '@placefleet/coordinator/mongo/migrations/steps'
import { createLogger } from '@placefleet/shared/log'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../harness/servers/database.ts'
import { opsOn } from '../../ops/run-ops.ts'

const database = await testDatabase()
const { db } = database
const log = createLogger('test', 'silent')
const schema = db.collection<{ _id: string; version: number; lease?: { until: Date } }>('deployment')
beforeEach(() => db.dropDatabase())

/** Steps that count how often they ran, the last one as told. */
function steps(count: number, last: () => Promise<void> = async () => undefined) {
  const runs: number[] = []
  const list = Array.from({ length: count }, (_, index): Migration => {
    const id = index + 1
    const run = async () => {
      runs.push(id)
      if (id === count) await last()
    }
    return { id, name: `step ${id}`, run }
  })
  return { runs, list }
}

test('the ids of the released steps count 1, 2, 3', () => {
  expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1))
})

test('when coordinators start at once, one runs the steps in order, and all continue after them', async () => {
  const { runs, list } = steps(3)
  await Promise.all(Array.from({ length: 5 }, () => migrate(db, log, list)))
  expect(runs).toEqual([1, 2, 3])
  await migrate(db, log, list)
  expect(runs).toEqual([1, 2, 3])
})

test('after a failed step, the next start repeats that step and no earlier one', async () => {
  const broken = steps(3, () => Promise.reject(new Error('no')))
  await expect(migrate(db, log, broken.list)).rejects.toThrow('no')
  const mended = steps(3)
  await migrate(db, log, mended.list)
  expect([broken.runs, mended.runs]).toEqual([[1, 2, 3], [3]])
})

test('a coordinator that died during a migration is replaced when its lease expires', async () => {
  await schema.insertOne({ _id: 'schema', version: 1, lease: { until: new Date(Date.now() + 600) } })
  const { runs, list } = steps(2)
  await migrate(db, log, list)
  expect(runs).toEqual([2])
})

describe('a database that a newer release migrated', () => {
  test('is refused with what to do if this release cannot read it', async () => {
    await schema.insertOne({ _id: 'schema', version: 9 })
    await expect(migrate(db, log, steps(3).list)).rejects.toThrow(/version 9, but this release .* up to 3\. Start the/)
  })

  test('is served by the release before it, side by side', async () => {
    await migrate(db, log, steps(4).list)
    await migrate(db, log, steps(3).list)
    await expect(migrate(db, log, steps(2).list)).rejects.toThrow('version 4')
  })
})

test('the secrets key of an earlier version is recognized by the encrypted texts', async () => {
  await db
    .collection<{ _id: string; sealed_secret: string }>('webhooks')
    .insertOne({ _id: 'w', sealed_secret: 'cafe0123.x' })
  await migrate(db, log)
  expect(await db.collection<{ _id: string }>('deployment').findOne({ _id: 'secrets_key' })).toMatchObject({
    key_id: 'cafe0123',
  })
})

test('`migrate status` shows the version and the pending steps', async () => {
  const ops = opsOn(database)
  const known = MIGRATIONS.length
  expect(await ops.json('migrate', 'status')).toMatchObject({
    ...{ version: 0, known },
    pending: MIGRATIONS.map(({ id }) => ({ id })),
  })
  await migrate(db, log)
  expect(await ops.json('migrate', 'status')).toEqual({ version: known, known, pending: [] })
  expect(await schemaStatus(db)).toMatchObject({ version: known })
})
