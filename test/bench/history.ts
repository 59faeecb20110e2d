import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '@placefleet/coordinator/config'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { notifyAgain } from '@placefleet/coordinator/jobs/sweep'
import { openQueue } from '@placefleet/coordinator/process/connections'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { freePort } from '../harness/network/free-port.ts'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { storePlaces } from './api/places.ts'
import { countOption } from './arguments.ts'
import { fillHistory } from './history/fill.ts'
import { startScriptedAgent } from './history/scripted-agent.ts'
import { readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { type Aim, figure, median, type Report } from './report.ts'

/** The highest ratio of a measurement with history to the same one without. */
const AIM = 1.2
const IDLE_SECONDS = 60
const SETTLE_MS = 5_000
const READS = 100
const JOBS_TIMED = 15
const SWEEPS = 25
const PLACES = 50
const TOKEN = 'a token for all benchmarks'

import { createParts } from '../harness/coordinator/parts.ts'

const CollectionSize = z.object({ count: z.number(), storageSize: z.number(), totalIndexSize: z.number() })

/** A deployment with an agent, its sweep, and an ended job with places. */
type Subject = {
  readonly backend: Backend
  readonly template: JobDocument
  readonly sweep: () => Promise<void>
}

/** The same figure of the empty and of the full database. */
type Pair = { readonly name: string; readonly empty: number; readonly full: number }

/**
 * Starts two deployments, fills the database of one, and measures both in turns, so that other work of the machine
 * slows both.
 */
export async function benchHistory(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { jobs: { type: 'string' }, places: { type: 'string' } } })
  const size = {
    jobs: countOption('jobs', values.jobs, 100_000),
    places: countOption('places', values.places, 500_000),
  }
  const life = benchLifecycle()
  try {
    progress.begin(3)
    progress.now('starting')
    const empty = await startSubject(life)
    const full = await startSubject(life)
    progress.done()
    progress.now('filling')
    const begun = performance.now()
    await fillHistory(full.backend.db, full.template, size)
    const fillSeconds = (performance.now() - begun) / 1_000
    progress.done()
    progress.now('measuring')
    const pairs = await measureAll(empty, full)
    progress.done()
    const { db } = full.backend
    const jobs = await sizeOf(db, jobsOf(db).collectionName)
    const places = await sizeOf(db, resultsOf(db).collectionName)
    return reportOf(size, { pairs, fillSeconds, disk: { jobs, places } })
  } finally {
    await life.close()
  }
}

async function startSubject(life: Lifecycle): Promise<Subject> {
  const port = await freePort()
  const backend = await startBackend(life, { GRPC_PORT: String(port), AGENT_TOKEN: TOKEN })
  const { db, natsAgentUrl } = backend
  await startScriptedAgent(life, { natsAgentUrl, grpc: `127.0.0.1:${port}`, token: TOKEN }, PLACES)
  const sweep = await createSweep(backend, life)
  const owner = await endedJob(backend, 'Bakeries')
  await storePlaces(db, owner, PLACES)
  const template = await jobsOf(db).findOne({ _id: owner.job_id })
  if (!template) throw new Error('the job is gone')
  await collectJob(backend) // warms up
  return { backend, template, sweep }
}

/** What a collection takes on disk, and its documents. */
type Size = { readonly count: number; readonly bytes: number }

async function sizeOf(db: Db, collStats: string): Promise<Size> {
  const { count, storageSize, totalIndexSize } = CollectionSize.parse(await db.command({ collStats }))
  return { count, bytes: storageSize + totalIndexSize }
}

/** Creates the sweep of a coordinator in this process, so that it can be timed. */
async function createSweep({ db, env }: Backend, life: Lifecycle) {
  const config = readConfig(env)
  const log = createLogger('bench', 'error')
  const nats = life.own('NATS', await openQueue(config), (connection) => connection.close())
  const services = await createParts({ config, log, db, nats })
  return async () => {
    await Promise.all([services.activeJobs.start(), services.endedJobs.start(), notifyAgain(services)])
    await Promise.all([services.activeJobs.idle(), services.endedJobs.idle()])
  }
}

async function measureAll(empty: Subject, full: Subject): Promise<Pair[]> {
  const timed = async (name: string, times: number, work: (subject: Subject) => Promise<unknown>) => {
    const [ofEmpty, ofFull]: [number[], number[]] = [[], []]
    for (let nth = 0; nth < times; nth++) {
      ofEmpty.push(await msOf(() => work(empty)))
      ofFull.push(await msOf(() => work(full)))
    }
    return { name, empty: median(ofEmpty), full: median(ofFull) }
  }
  const reading = (name: string, path: (subject: Subject) => string) =>
    timed(name, READS, (subject) => read(`${subject.backend.url}/api/v1/${path(subject)}`))
  return [
    ...(await idle(empty, full)),
    await timed('a job from POST to its end, ms', JOBS_TIMED, ({ backend }) => collectJob(backend)),
    await reading('GET /jobs, ms', () => 'jobs?limit=10'),
    await reading('GET /jobs by name, ms', () => 'jobs?limit=10&sort=name'),
    await reading('GET /dashboard, ms', () => 'dashboard'),
    await reading('GET /jobs/{id}/results, ms', ({ template }) => `jobs/${template._id}/results?limit=${PLACES}`),
    await timed('a sweep, ms', SWEEPS, ({ sweep }) => sweep()),
  ]
}

/** Measures the CPU of both deployments without work, at the same time. */
async function idle(empty: Subject, full: Subject): Promise<Pair[]> {
  const cpu = async ({ backend: { pid, db } }: Subject) => {
    const mongo = z.object({ pid: z.coerce.number() }).parse(await db.admin().command({ serverStatus: 1 }))
    return { coordinator: readTree(pid).cpuSeconds, database: readTree(mongo.pid).cpuSeconds }
  }
  // The database writes what was filled in.
  for (const { backend } of [empty, full]) await backend.db.admin().command({ fsync: 1 })
  await sleep(SETTLE_MS)
  const before = { empty: await cpu(empty), full: await cpu(full) }
  await sleep(IDLE_SECONDS * 1_000)
  const after = { empty: await cpu(empty), full: await cpu(full) }
  return (['coordinator', 'database'] as const).map((part) => {
    const used = (which: 'empty' | 'full') => ((after[which][part] - before[which][part]) / IDLE_SECONDS) * 1_000
    return { name: `idle ${part}, ms CPU a second`, empty: used('empty'), full: used('full') }
  })
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

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

type Measured = {
  readonly pairs: readonly Pair[]
  readonly fillSeconds: number
  readonly disk: { readonly jobs: Size; readonly places: Size }
}

function reportOf(size: { jobs: number; places: number }, { pairs, fillSeconds, disk }: Measured): Report {
  const rows = pairs.map((pair) => ({ ...pair, ratio: pair.full / pair.empty }))
  const aims: Aim[] = rows.map(({ name, ratio }) => ({
    aim: `${name}: at most ${AIM} of empty`,
    reached: figure(ratio),
    met: ratio <= AIM,
  }))
  const kilobytes = ({ bytes, count }: Size) => figure(bytes / count / 1_000)
  const gigabytes = figure((disk.jobs.bytes + disk.places.bytes) / 1e9)
  return {
    figures: { bench: 'history', ...size, rows, fill_seconds: fillSeconds, disk, aims },
    tables: [
      {
        title: `Empty, and with ${size.jobs} ended jobs and ${size.places} places`,
        head: ['', 'empty', 'full', 'full to empty'],
        rows: rows.map((row) => Object.values(row)),
      },
    ],
    aims,
    remarks: [
      `Filled in ${figure(fillSeconds)} s. On disk, indexes included: ${gigabytes} GB, ${kilobytes(disk.jobs)} kB a job, ${kilobytes(disk.places)} kB a place of ten fields.`,
    ],
  }
}
