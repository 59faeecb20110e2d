import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { JobList } from '@placefleet/coordinator/jobs/schema'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../harness/coordinator/client.ts'
import { type Running, startProcess } from '../harness/coordinator/processes.ts'
import { freePort } from '../harness/network/free-port.ts'
import { procText, runningProcesses } from '../harness/running-processes.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { until } from '../harness/until.ts'

/** Returns a data directory for `npm start`, and a simulated map site. */
async function prepare() {
  const site = await startMapSite({ seed: 3, places: 240, options: { latencyMs: { min: 40, max: 80 } } })
  onTestFinished(() => site.close())
  const dataDir = temporaryDir()
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
  runningProcesses().flatMap(({ pid }) => {
    const command = procText(pid, 'cmdline')
    return command.includes(dir) || procText(pid, 'environ').includes(dir) ? [command] : []
  })

// One life of an installation, because each start takes seconds. A promise that is broken does not hide the next.
test('npm start: its first sign-in, its end by kill -9, its second start and its end by SIGTERM', async () => {
  const { site, dataDir, start, client } = await prepare()
  const first = start()
  const before = await client(first)
  const link = join(dataDir, 'sign-in-link')
  await until('the link is there', () => existsSync(link) && readFileSync(link, 'utf8').endsWith('\n'))

  expect.soft(statSync(before.keyFile).mode & 0o777, 'only the owner can read the key').toBe(0o600)
  expect.soft(statSync(link).mode & 0o777, 'only the owner can read the link').toBe(0o600)
  const token = readFileSync(link, 'utf8').trim().split('/console/#link=')[1] ?? ''
  expect.soft((await before.call('POST', '/auth/link', { token })).status, 'the link works').toBe(204)
  expect.soft((await before.call('POST', '/auth/link', { token })).status, 'the link works once').toBe(401)
  const { status } = await before.call('GET', '/api/v1/admin/doctor')
  expect.soft(status, 'the first user is an operator').toBe(200)
  const { jobs } = JobList.parse((await before.call('GET', '/api/v1/jobs')).body)
  expect(jobs).toMatchObject([{ data: { demo: true }, source: 'web' }])
  await until('the demo has places', async () => (await before.job(jobs[0]?.id ?? '')).result_count > 0)
  expect.soft((await before.job(jobs[0]?.id ?? '')).total_cost, 'the demo is free').toBe('0.000000')
  expect.soft(site.requests().total, 'the demo is collected from a city of its own').toBe(0)

  const id = await before.create({ keywords: ['dentist'], max_results: 500 })
  await until('some places are stored', async () => (await before.job(id)).result_count >= 5)
  await first.kill('SIGKILL')
  await until('nothing of it is left', () => processesOf(dataDir).length === 0)
  const second = start()
  const after = await client(second)

  expect.soft(await after.ended(id, 60_000), 'a second start continues the job').toMatchObject({ status: 'completed' })
  const keys = (await after.places(id)).map((place) => place.data_id)
  expect.soft(keys.toSorted(), 'no place is lost or doubled').toEqual(site.city.keysOf('dentist'))

  const third = start()
  await until(
    'a start beside it is refused, and says why',
    () => third.stderr().includes(dataDir) && third.stderr().includes('in use'),
  )

  await second.kill('SIGTERM')
  expect.soft(existsSync(link), 'the link that was used is gone').toBe(false)
  await until('nothing of it is left', () => processesOf(dataDir).length === 0)
}, 300_000) // three starts of all processes, beside the other tests
