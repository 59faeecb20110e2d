import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@placefleet/coordinator/config'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { notifyAgain } from '@placefleet/coordinator/jobs/sweep'
import { openQueue } from '@placefleet/coordinator/process/connections'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { addAgent } from '../harness/agents/agent.ts'
import { scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { createParts } from '../harness/coordinator/parts.ts'
import { AGENT_TOKEN } from '../harness/coordinator/world.ts'
import { freePort } from '../harness/network/free-port.ts'
import { type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { storePlaces } from './api/places.ts'
import { readOptions } from './arguments.ts'
import { fillHistory } from './history/fill.ts'
import { readTree } from './process-tree.ts'
import { aimOf, figure, median, type Report } from './report.ts'

/** The highest ratio of a measurement with history to the same one without. */
const AIM = 1.2
const IDLE_SECONDS = 60
const SETTLE_MS = 5_000
const READS = 100
const JOBS_TIMED = 15
const SWEEPS = 25
const PLACES = 50

const log = createLogger('bench', 'error')

/** A deployment with an agent, its sweep, and an ended job with places. */
type Subject = { readonly backend: Backend; readonly template: JobDocument; readonly sweep: () => Promise<void> }

/** A measurement, without and with history. */
type Row = readonly [name: string, empty: number, full: number]

/**
 * Starts two deployments, fills the database of one, and measures both in turns, so that other work of the machine
 * slows both.
 */
export async function benchHistory(args: string[], say: (step: string) => void): Promise<Report> {
  const size = readOptions(args, { jobs: 100_000, places: 500_000 }).counts
  const life = benchLifecycle()
  try {
    const [empty, full] = [await startSubject(life), await startSubject(life)]
    const { db } = full.backend
    say('filling')
    const fillSeconds = (await msOf(() => fillHistory(db, full.template, size))) / 1_000
    say('measuring')
    const rows = await measureAll(empty, full)
    const [jobs, places] = [await sizeOf(db, jobsOf(db)), await sizeOf(db, resultsOf(db))]
    const disk = `${figure((jobs.bytes + places.bytes) / 1e9)} GB, ${figure(jobs.kilobytesEach)} kB a job`
    return {
      tables: [
        {
          title: `Empty, and with ${size.jobs} ended jobs and ${size.places} places`,
          head: ['', 'empty', 'full', 'full to empty'],
          rows: rows.map(([name, before, after]) => [name, before, after, after / before]),
        },
      ],
      aims: rows.map(([name, before, after]) => aimOf(`${name}, to empty`, 'at most', AIM, after / before)),
      remarks: [
        `Filled in ${figure(fillSeconds)} s. On disk, indexes included: ${disk}, ${figure(places.kilobytesEach)} kB a place of ten fields.`,
      ],
    }
  } finally {
    await life.close()
  }
}

async function startSubject(life: Lifecycle): Promise<Subject> {
  const port = await freePort()
  const backend = await startBackend(life, { GRPC_PORT: String(port), AGENT_TOKEN })
  const { db, natsAgentUrl } = backend
  const collector = scriptedCollector({ find: () => Array.from({ length: PLACES }, (_, n) => n) })
  await addAgent({ natsAgentUrl, log, life }, `127.0.0.1:${port}`, collector)
  const sweep = await createSweep(backend, life)
  const owner = await endedJob(backend, 'Bakeries')
  await storePlaces(db, owner, PLACES)
  const template = await jobsOf(db).findOne({ _id: owner.job_id })
  if (!template) throw new Error('the job is gone')
  await collectJob(backend) // warms up
  return { backend, template, sweep }
}

const CollectionSize = z.object({ count: z.number(), storageSize: z.number(), totalIndexSize: z.number() })

/** Returns what a collection takes on disk. */
async function sizeOf(db: Db, { collectionName }: { collectionName: string }) {
  const { count, ...sizes } = CollectionSize.parse(await db.command({ collStats: collectionName }))
  const bytes = sizes.storageSize + sizes.totalIndexSize
  return { bytes, kilobytesEach: bytes / count / 1_000 }
}

/** Creates the sweep of a coordinator in this process, so that it can be timed. */
async function createSweep({ db, env }: Backend, life: Lifecycle) {
  const config = readConfig(env)
  const nats = life.own('NATS', await openQueue(config), (connection) => connection.close())
  const services = await createParts({ config, log, db, nats })
  return async () => {
    await Promise.all([services.activeJobs.start(), services.endedJobs.start(), notifyAgain(services)])
    await Promise.all([services.activeJobs.idle(), services.endedJobs.idle()])
  }
}

async function measureAll(empty: Subject, full: Subject): Promise<Row[]> {
  const timed = async (name: string, times: number, work: (subject: Subject) => Promise<unknown>): Promise<Row> => {
    const [before, after]: [number[], number[]] = [[], []]
    for (let nth = 0; nth < times; nth++) {
      before.push(await msOf(() => work(empty)))
      after.push(await msOf(() => work(full)))
    }
    return [`${name}, ms`, median(before), median(after)]
  }
  const reading = (path: string, pathOf = (_: Subject) => path) =>
    timed(`GET /${path.replace('?limit=10', '').replace('&sort=name', ' by name')}`, READS, async (subject) => {
      const answer = await subject.backend.client.call('GET', `/api/v1/${pathOf(subject)}`)
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
    })
  return [
    ...(await idle(empty, full)),
    await timed('a job from POST to its end', JOBS_TIMED, ({ backend }) => collectJob(backend)),
    await reading('jobs?limit=10'),
    await reading('jobs?limit=10&sort=name'),
    await reading('dashboard'),
    await reading('jobs/{id}/results', ({ template }) => `jobs/${template._id}/results?limit=${PLACES}`),
    await timed('a sweep', SWEEPS, ({ sweep }) => sweep()),
  ]
}

/** Measures the CPU of both deployments without work, at the same time. */
async function idle(empty: Subject, full: Subject): Promise<Row[]> {
  const cpu = async ({ backend: { pid, db } }: Subject) => {
    const mongo = z.object({ pid: z.coerce.number() }).parse(await db.admin().command({ serverStatus: 1 }))
    return [readTree(pid).cpuSeconds, readTree(mongo.pid).cpuSeconds]
  }
  // The database writes what was filled in.
  for (const { backend } of [empty, full]) await backend.db.admin().command({ fsync: 1 })
  await sleep(SETTLE_MS)
  const before = [await cpu(empty), await cpu(full)]
  await sleep(IDLE_SECONDS * 1_000)
  const after = [await cpu(empty), await cpu(full)]
  return ['coordinator', 'database'].map((part, nth) => {
    const used = (which: number) => (((after[which]?.[nth] ?? 0) - (before[which]?.[nth] ?? 0)) / IDLE_SECONDS) * 1_000
    return [`idle ${part}, ms CPU a second`, used(0), used(1)]
  })
}

/** Waits at the server, because an interval of questions would be measured. */
async function collectJob({ client }: Backend): Promise<void> {
  const id = await client.create({ keywords: ['bakery'], max_results: PLACES })
  const job = await client.finished(id)
  if (job.status !== 'completed') throw new Error(`a job ended as ${job.status}: ${job.failure_reason}`)
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
