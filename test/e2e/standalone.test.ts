import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobList } from '@placefleet/coordinator/jobs/schema'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../harness/coordinator/client.ts'
import { type Running, startProcess } from '../harness/coordinator/processes.ts'
import { freePort } from '../harness/network/free-port.ts'
import { until } from '../harness/until.ts'

/** Returns a data directory for `npm start`, and a simulated map site. */
async function prepare() {
  const site = await startMapSite({ seed: 3, places: 360, options: { latencyMs: { min: 40, max: 80 } } })
  onTestFinished(() => site.close())
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-standalone-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    GRPC_PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_FREE: '100:100',
  }
  const start = () => startProcess('deploy/standalone/main.ts', { ...settings, MAPS_BASE_URL: site.url })
  const client = async (running: Running) => {
    const keyFile = join(dataDir, 'api-key')
    const answers = () =>
      fetch(`http://127.0.0.1:${settings.PORT}/health`).then(
        (answer) => answer.ok,
        () => false,
      )
    await until(`it answers\n${running.stderr()}`, answers)
    return { ...createClient(`http://127.0.0.1:${settings.PORT}`, readFileSync(keyFile, 'utf8').trim()), keyFile }
  }
  return { site, dataDir, start, client }
}

/** Returns the processes that name a directory in their command line, or have it in their environment. */
const processesOf = (dir: string): string[] =>
  execFileSync('ps', ['axeww', '-o', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(dir) && !line.includes('ps axeww'))

test('only the owner can read key and sign-in link; the link works once and starts a free demo job; after kill -9 of everything a second start continues, a concurrent one is refused, and SIGTERM stops everything', async () => {
  const { site, dataDir, start, client } = await prepare()
  const first = start()
  const before = await client(first)
  const link = join(dataDir, 'sign-in-link')
  await until('the link is there', () => existsSync(link))

  expect(statSync(before.keyFile).mode & 0o777).toBe(0o600)
  expect(statSync(link).mode & 0o777).toBe(0o600)
  const token = readFileSync(link, 'utf8').trim().split('/console/#link=')[1] ?? ''
  expect((await before.call('POST', '/auth/link', { token })).status).toBe(204)
  expect((await before.call('POST', '/auth/link', { token })).status).toBe(401)
  expect((await before.call('GET', '/api/v1/admin/doctor')).status).toBe(200) // the first user is an operator
  const { jobs } = JobList.parse((await before.call('GET', '/api/v1/jobs')).body)
  expect(jobs).toMatchObject([{ demo: true, source: 'web' }])
  await until('the demo has places', async () => (await before.job(jobs[0]?.id ?? '')).result_count > 0)
  expect((await before.job(jobs[0]?.id ?? '')).total_cost).toBe('0.000000')
  expect(site.requests().total).toBe(0) // the demo is collected from a city of its own

  const id = await before.create({ keywords: ['dentist'], max_results: 500 })
  await until('some places are stored', async () => (await before.job(id)).result_count >= 10)
  await first.kill('SIGKILL')
  await until('nothing of it is left', () => processesOf(dataDir).length === 0)
  const second = start()
  const after = await client(second)

  expect(await after.ended(id, 60_000)).toMatchObject({ status: 'completed' })
  const keys = (await after.places(id)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(site.city.keysOf('dentist'))

  const third = start()
  await until('it says why', () => third.stderr().includes(dataDir) && third.stderr().includes('in use'))

  await second.kill('SIGTERM')
  expect(existsSync(link)).toBe(false)
  await until('nothing of it is left', () => processesOf(dataDir).length === 0)
}, 120_000)
