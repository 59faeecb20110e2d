import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startAgent } from '@placefleet/agent/app'
import { readAgentConfig } from '@placefleet/agent/config'
import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { fileNameOf } from '@placefleet/coordinator/backup/archive'
import { LEFT_OUT } from '@placefleet/coordinator/backup/manifest'
import { backupName } from '@placefleet/coordinator/backup/retention'
import { indexes } from '@placefleet/coordinator/indexes'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { SIMULATED_SITE } from '../../harness/coordinator/processes.ts'
import { AGENT_TOKEN, addCoordinator, startWorld, type World } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const KEYWORD = 'bakery'

const here = (on: World, ...args: string[]) => runOpsHere(args, { MONGODB_URL: on.mongoUrl })
const manifestOf = (dir: string) => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))

// A small database and its backup, for the tests that only read them.
const world = await startWorld(afterAll)
await (await addCoordinator(world)).close()
const parent = temporaryDir(afterAll)
const backup = join(parent, 'backup')
const { out: said } = await here(world, 'backup', '--out', backup)

/** How many backups are made while jobs come, run, end and go. */
const BACKUPS = volume(1, 3)

/** Starts a city with slow pages. `start` adds a coordinator and an agent to a world. */
async function slowCity() {
  const outside = await startOutsideWorld({ seed: 6, places: 360, options: { latencyMs: { min: 20, max: 40 } } })
  onTestFinished(() => outside.close())
  const settings = { ...SIMULATED_SITE, MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }
  const start = async (where: World) => {
    const { client, grpc } = await addCoordinator(where)
    const addresses = { NATS_URL: where.natsAgentUrl, COORDINATOR_GRPC: grpc, AGENT_TOKEN }
    const life = createLifecycle(where.log)
    const agent = await startAgent(readAgentConfig({ ...settings, ...addresses }), where.log, life)
    where.life.own('agent', life, async (owned) => {
      await agent.drain()
      await owned.close()
    })
    return client
  }
  return { city: outside.city, start }
}

test('a backup during creations, runs, ends and deletions of jobs verifies, and its jobs continue', async () => {
  const { city, start } = await slowCity()
  const busyWorld = await startWorld()
  const client = await start(busyWorld)
  const long = await client.create({ keywords: [KEYWORD], depth: 6, max_results: 500 })
  await until('the long job is on its way', async () => (await client.job(long)).result_count > 10)

  let isBusy = true
  const shortJobs = async () => {
    while (isBusy) {
      const id = await client.create({ keywords: ['cafe'], max_results: 3, fast_mode: true })
      await client.ended(id)
      await client.call('DELETE', `/api/v1/jobs/${id}`)
    }
  }
  const busy = Promise.all([shortJobs(), shortJobs()])
  const backups = Array.from({ length: BACKUPS }, () => join(temporaryDir(), 'backup'))
  for (const dir of backups) expect(await here(busyWorld, 'backup', '--out', dir)).toMatchObject({ code: 0, err: '' })
  await client.call('POST', `/api/v1/jobs/${long}/cancel`)
  isBusy = false
  await busy

  const restoredWorlds: World[] = []
  for (const dir of backups) {
    const restored = await startWorld()
    restoredWorlds.push(restored)
    const { code, out } = await here(restored, 'restore', '--from', dir)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(': 0 deviations') })
  }
  const last = restoredWorlds.at(-1) ?? busyWorld
  const again = await start(last)
  expect(await again.ended(long, 90_000)).toMatchObject({ status: 'completed' })
  const keys = (await again.places(long)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(city.keysOf(KEYWORD))
  expect(await here(last, 'ledger', 'verify')).toMatchObject({ code: 0 })
}, 180_000)

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
