import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { fileNameOf } from '@placefleet/coordinator/backup/archive'
import { LEFT_OUT } from '@placefleet/coordinator/backup/manifest'
import { backupName } from '@placefleet/coordinator/backup/retention'
import { indexes } from '@placefleet/coordinator/indexes'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addCoordinator, startWorld, type World } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const _KEYWORD = 'bakery'

const here = (on: World, ...args: string[]) => runOpsHere(args, { MONGODB_URL: on.mongoUrl })
const manifestOf = (dir: string) => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))

// A small database and its backup, for the tests that only read them.
const world = await startWorld(afterAll)
await (await addCoordinator(world)).close()
const parent = temporaryDir(afterAll)
const backup = join(parent, 'backup')
const { out: said } = await here(world, 'backup', '--out', backup)

test('the service of systemd takes a backup with a name of its own, removes old ones and verifies the ledger', async () => {
  const unit = resolve(import.meta.dirname, '../../../deploy/systemd/placefleet-backup.service')
  const lines = readFileSync(unit, 'utf8').matchAll(/^ExecStart=.* ops (.*)$/gm)
  const into = temporaryDir()
  const [old, recent] = ['2020-01-01T02-00-00Z', backupName(new Date(Date.now() - 24 * 60 * 60 * 1_000))]
  for (const name of [old, recent, '2020-01', 'first']) mkdirSync(join(into, name))
  writeFileSync(join(into, old, fileNameOf('users')), 'of an incomplete backup')
  writeFileSync(join(into, '2020-01-02T02-00-00Z'), 'not a directory')

  const said: string[] = []
  for (const [, line = ''] of lines) {
    const args = line
      .replace('/var/lib/placefleet-backup', into)
      .replace(/\$\{KEEP_DAYS\}/, '14')
      .split(' ')
    const { code, out, err } = await here(world, ...args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    said.push(out)
  }

  const names = readdirSync(into)
  const made = names.filter((name) => name > recent && name.startsWith('20'))
  expect(names.toSorted()).toEqual(['2020-01', '2020-01-02T02-00-00Z', recent, ...made, 'first'])
  expect(made).toHaveLength(1)
  expect(manifestOf(join(into, `${made[0]}`)).files.length).toBeGreaterThan(5)
  expect(said).toEqual([
    expect.stringContaining(`Removed the old backup ${old}.`),
    expect.stringContaining(': 0 deviations'),
  ])
})

test('a backup in a directory that cannot be created, or without one, says what to name', async () => {
  const file = join(temporaryDir(), 'file')
  writeFileSync(file, '')
  expect((await here(world, 'backup', '--into', file)).err).toMatch(/cannot be created: .*Name a directory/)
  expect(await here(world, 'backup')).toMatchObject({ code: 2, err: expect.stringContaining('either --out or --into') })
  const pruning = await here(world, 'backup', '--out', join(temporaryDir(), 'new'), '--keep-days', '14')
  expect(pruning).toMatchObject({ code: 2, err: expect.stringContaining('--keep-days needs --into') })
})

test('numbers and dates keep their types', async () => {
  const restored = await startWorld()
  expect(await here(restored, 'restore', '--from', backup)).toMatchObject({ code: 0 })
  const entries = async ({ db }: World) => db.collection('ledger').find({}, { promoteValues: false }).toArray()
  expect(await entries(restored)).toEqual(await entries(world))
  expect(await restored.db.collection('users').findOne()).toEqual(await world.db.collection('users').findOne())
})

test('a backup is for its owner alone, and says that the secrets key is not in it', () => {
  expect(said).toContain('SECRETS_KEY is not in the backup')
  expect(statSync(backup).mode & 0o777).toBe(0o700)
  expect(statSync(join(backup, 'users.bson.gz')).mode & 0o777).toBe(0o600)
  expect(manifestOf(backup)).toMatchObject({ format: 1, secrets_key_id: expect.stringMatching(/^[0-9a-f]{8}$/) })
})

test('a damaged backup, an unfinished one and a database with data are refused before anything is written', async () => {
  const empty = await startWorld(onTestFinished, 'new')
  const damaged = join(temporaryDir(), 'damaged')
  cpSync(backup, damaged, { recursive: true })
  writeFileSync(join(damaged, fileNameOf('ledger')), 'something else')

  expect((await here(world, 'backup', '--out', backup)).err).toContain('is not empty')
  expect((await here(world, 'restore', '--from', backup)).err).toMatch(/database is not empty: \w+ has documents/)
  expect((await here(empty, 'restore', '--from', join(backup, '..'))).err).toContain('holds no complete backup')
  expect((await here(empty, 'restore', '--from', damaged)).err).toContain('ledger.bson.gz is damaged')
  expect(await empty.db.listCollections().toArray()).toEqual([])
})

test.each([
  ['with an unfinished restore', { _id: 'restore' }, /has not finished\. Wait until it ends/],
  ['that a later release changed', { _id: 'schema', version: 9 }, /version 9, but this release .* up to 1\. Start the/],
])('neither coordinators nor operators write to a database %s, and it is not backed up', async (_, mark, says) => {
  const unusable = await startWorld()
  await unusable.db.collection<{ _id: string }>('deployment').insertOne(mark)
  const dir = join(temporaryDir(), 'backup')
  const refusal = { code: 1, err: expect.stringMatching(says) }

  await expect(addCoordinator(unusable)).rejects.toThrow(says)
  expect(await here(unusable, 'users', 'create', '--email', 'new@example.com')).toMatchObject(refusal)
  expect(await here(unusable, 'backup', '--out', dir)).toMatchObject(refusal)
  expect(existsSync(dir)).toBe(false)
  expect(await usersOf(unusable.db).countDocuments()).toBe(0)
})

test('every collection of the service is in a backup, unless it says why not', async () => {
  const copied: string[] = manifestOf(backup).files.map((file: { collection: string }) => file.collection)
  const known = (name: string) => copied.includes(name) || name in LEFT_OUT
  expect(indexes.map(({ collection }) => collection).filter((name) => !known(name))).toEqual([])
  expect(new Set(copied).size).toBe(copied.length)
})
