import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '@placefleet/coordinator/config'
import { openQueue } from '@placefleet/coordinator/connections'
import { createCounters } from '@placefleet/coordinator/counters'
import { rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { sweepOnce } from '@placefleet/coordinator/jobs/sweep'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { createServices } from '@placefleet/coordinator/services'
import { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { createLogger } from '@placefleet/shared/log'
import { z } from 'zod'
import { freePort } from '../harness/network/free-port.ts'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { storePlaces } from './api/places.ts'
import { countOption } from './arguments.ts'
import { fillHistory } from './history/fill.ts'
import { startScriptedAgent } from './history/scripted-agent.ts'
import { readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { type Aim, aimRemarks, figure, median, type Report } from './report.ts'

/** The highest ratio of a measurement with history to the same one without. */
const AIM = 1.2
const IDLE_SECONDS = 20
const READS = 100
const JOBS_TIMED = 7
const SWEEPS = 15
const PLACES = 50
const TOKEN = 'a token for benchmarks'

const CollectionSize = z.object({ count: z.number(), storageSize: z.number(), totalIndexSize: z.number() })

type Figures = Readonly<Record<string, number>>

/** Measures what must not depend on history in an empty database, fills the database, and measures again. */
export async function benchHistory(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { jobs: { type: 'string' }, places: { type: 'string' } } })
  const size = {
    jobs: countOption('jobs', values.jobs, 100_000),
    places: countOption('places', values.places, 500_000),
  }
  const life = benchLifecycle()
  try {
    const port = await freePort()
    const settings = { GRPC_PORT: String(port), AGENT_TOKEN: TOKEN }
    const backend = await startBackend(life, settings)
    const { natsAgentUrl } = backend
    await startScriptedAgent(life, { natsAgentUrl, grpc: `127.0.0.1:${port}`, token: TOKEN }, PLACES)
    const sweep = await createSweep(backend, life)
    const owner = await endedJob(backend, 'Bakeries')
    await storePlaces(backend.db, owner, PLACES)
    const template = await jobsOf(backend.db).findOne({ _id: owner.job_id })
    if (!template) throw new Error('the job is gone')
    progress.begin(3)
    const measure = () => measureAll(backend, owner.job_id, sweep)
    await collectJob(backend) // warms up
    progress.now('empty')
    const empty = await measure()
    progress.done()
    progress.now('filling')
    await fillHistory(backend.db, template, size)
    await backend.db
      .admin()
      .command({ fsync: 1 })
      .catch(() => undefined)
    progress.done()
    progress.now('full')
    const full = await measure()
    progress.done()
    const disk = {
      jobs: await diskOf(backend, jobsOf(backend.db).collectionName),
      places: await diskOf(backend, resultsOf(backend.db).collectionName),
    }
    return reportOf(size, { empty, full, disk })
  } finally {
    await life.close()
  }
}

/** Kilobytes on disk of a document of a collection, its indexes included. */
async function diskOf({ db }: Backend, collection: string): Promise<number> {
  const stats = await db.command({ collStats: collection })
  const { count, storageSize, totalIndexSize } = CollectionSize.parse(stats)
  return (storageSize + totalIndexSize) / count / 1_000
}

/** Creates the sweep of a coordinator in this process, so that it can be timed. */
async function createSweep({ db, env }: Backend, life: ReturnType<typeof benchLifecycle>) {
  const config = readConfig(env)
  const log = createLogger('bench', 'error')
  const nats = life.own('NATS', await openQueue(config), (connection) => connection.close())
  const services = await createServices(config, log, { db, nats, counters: createCounters() })
  const { signal } = new AbortController()
  return () => sweepOnce({ ...services, rollbackCreation: (job) => rollbackCreation(services, job) }, signal)
}

async function measureAll(backend: Backend, job_id: string, sweep: () => Promise<void>): Promise<Figures> {
  const { url, db, pid } = backend
  const api = `${url}/api/v1`
  const { pid: mongo } = z.object({ pid: z.coerce.number() }).parse(await db.admin().command({ serverStatus: 1 }))
  await sleep(2_000) // earlier work has settled
  const before = [readTree(pid).cpuSeconds, readTree(mongo).cpuSeconds]
  await sleep(IDLE_SECONDS * 1_000)
  const after = [readTree(pid).cpuSeconds, readTree(mongo).cpuSeconds]
  const idle = (n: number) => (((after[n] ?? 0) - (before[n] ?? 0)) / IDLE_SECONDS) * 1_000
  return {
    'idle coordinator, ms CPU a second': idle(0),
    'idle database, ms CPU a second': idle(1),
    'a job from POST to its end, ms': await medianMs(JOBS_TIMED, () => collectJob(backend)),
    'GET /jobs, ms': await medianMs(READS, () => read(`${api}/jobs?limit=10`)),
    'GET /jobs by name, ms': await medianMs(READS, () => read(`${api}/jobs?limit=10&sort=name`)),
    'GET /dashboard, ms': await medianMs(READS, () => read(`${api}/dashboard`)),
    'GET /jobs/{id}/results, ms': await medianMs(READS, () => read(`${api}/jobs/${job_id}/results?limit=${PLACES}`)),
    'a sweep, ms': await medianMs(SWEEPS, sweep),
  }
}

async function collectJob({ client }: Backend): Promise<void> {
  const id = await client.create({ keywords: ['bakery'], max_results: PLACES })
  for (;;) {
    const job = Job.parse((await client.call('GET', `/api/v1/jobs/${id}?wait=30`)).body)
    if (job.status === 'completed') return
    if (isFinal(job.status)) throw new Error(`a job ended as ${job.status}: ${job.failure_reason}`)
  }
}

async function read(url: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${API_KEY}` } })
  await response.text()
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`)
}

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const begun = performance.now()
    await work()
    taken.push(performance.now() - begun)
  }
  return median(taken)
}

/** The two measurements, and the kilobytes on disk of a job and of a place. */
type Measured = { empty: Figures; full: Figures; disk: { jobs: number; places: number } }

function reportOf(size: { jobs: number; places: number }, { empty, full, disk }: Measured): Report {
  const rows = Object.entries(empty).map(([name, before]) => {
    const after = full[name] ?? Number.NaN
    return { name, empty: before, full: after, ratio: after / before }
  })
  const aims: Aim[] = rows.map(({ name, ratio }) => ({
    aim: `${name}: at most ${AIM} of empty`,
    reached: figure(ratio),
    met: ratio <= AIM,
  }))
  return {
    figures: { bench: 'history', ...size, rows, disk_kb: disk, aims },
    tables: [
      {
        title: `Empty, and with ${size.jobs} ended jobs and ${size.places} places`,
        head: ['', 'empty', 'full', 'full to empty'],
        rows: rows.map((row) => Object.values(row)),
      },
    ],
    remarks: [
      ...aimRemarks(aims),
      `On disk, indexes included: ${figure(disk.jobs)} kB a job, ${figure(disk.places)} kB a place without reviews and images.`,
    ],
  }
}
