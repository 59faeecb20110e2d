import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { startChildServer } from './api/child-server.ts'
import { storePlaces } from './api/places.ts'
import { countOption } from './arguments.ts'
import { COMPARISON } from './comparison.ts'
import { readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { type Aim, figure, median, type Report } from './report.ts'

const CONNECTIONS = 50
const JOBS = 100
const PLACES = 50

/** A request to the process `pid`. */
type Subject = {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** The same read over bare Fastify, and the least share of its requests a second that the API must reach. */
  readonly baseline?: { readonly name: string; readonly aim: number }
}
type Figures = {
  readonly name: string
  readonly run: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuMicroseconds: number
}

/**
 * Sends requests to the API and to bare Fastify routes over the same database, one after the other. The API checks a key
 * and counts a rate limit that is never reached. Every answer must be a 200.
 */
export async function benchApi(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string' }, runs: { type: 'string' } } })
  const seconds = countOption('seconds', values.seconds, 4)
  const runs = countOption('runs', values.runs, 3)
  const life = benchLifecycle()
  try {
    const backend = await startBackend(life)
    const { mongoUrl: MONGODB_URL } = backend
    const bare = life.own('bare server', await startChildServer('bare.ts', { MONGODB_URL }), (server) => server.close())
    const subjects = subjectsOf(backend, bare, await fill(backend))
    progress.begin((runs + 1) * subjects.length)
    for (const subject of subjects) await ask(subject, 1, -1, progress) // warms up
    const figures: Figures[] = []
    for (let run = 0; run < runs; run++) {
      for (const subject of subjects) figures.push(await ask(subject, seconds, run, progress))
    }
    return reportOf(subjects, figures)
  } finally {
    await life.close()
  }
}

/** Jobs of a user, and the places of the last one. */
async function fill(backend: Backend): Promise<Owner> {
  const owners = []
  for (let nth = 0; nth < JOBS; nth++) owners.push(await endedJob(backend, `Bakeries ${nth}`))
  const last = owners.at(-1)
  if (!last) throw new Error('there are no jobs')
  await storePlaces(backend.db, last, PLACES)
  return last
}

type Server = { readonly url: string; readonly pid: number }
type Owner = { readonly user_id: string; readonly job_id: string }

function subjectsOf(api: Server, bare: Server, { user_id, job_id: job }: Owner): Subject[] {
  const jobs = `${api.url}/api/v1/jobs`
  const { pid } = api
  const one = 'bare: findOne'
  const list = 'bare: find of 10 jobs, count'
  const places = `bare: find of ${PLACES} places`
  // Each read follows its baseline, so that other work of the machine slows both.
  return [
    { name: one, url: `${bare.url}/job/${job}`, pid: bare.pid },
    { name: 'GET /jobs/{id}', url: `${jobs}/${job}`, pid, baseline: { name: one, aim: 0.6 } },
    { name: list, url: `${bare.url}/jobs/${user_id}`, pid: bare.pid },
    { name: 'GET /jobs (10)', url: `${jobs}?limit=10`, pid, baseline: { name: list, aim: 0.8 } },
    { name: places, url: `${bare.url}/places/${job}`, pid: bare.pid },
    {
      name: `GET /jobs/{id}/results (${PLACES})`,
      url: `${jobs}/${job}/results?limit=${PLACES}`,
      pid,
      baseline: { name: places, aim: 0.7 },
    },
  ]
}

const LOAD = join(COMPARISON, 'node_modules/autocannon/autocannon.js')

const LoadResult = z.object({
  requests: z.object({ total: z.number(), average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  errors: z.number(),
  non2xx: z.number(),
})

/** Sends requests for some seconds, from a process of its own. */
async function load(url: string, seconds: number): Promise<z.infer<typeof LoadResult>> {
  const rates = ['--connections', String(CONNECTIONS), '--duration', String(seconds)]
  const headers = ['--headers', `authorization=Bearer ${API_KEY}`]
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, '--json', ...rates, ...headers, url])
  return LoadResult.parse(JSON.parse(stdout))
}

async function ask({ name, url, pid }: Subject, seconds: number, run: number, progress: Progress): Promise<Figures> {
  progress.now(name)
  const before = readTree(pid).cpuSeconds
  const result = await load(url, seconds)
  const cpuMicroseconds = ((readTree(pid).cpuSeconds - before) * 1e6) / result.requests.total
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${name}: ${result.errors + result.non2xx} bad answers`)
  progress.done()
  const { p50, p99 } = result.latency
  return { name, run, perSecond: result.requests.average, p50, p99, cpuMicroseconds }
}

function reportOf(subjects: readonly Subject[], runs: readonly Figures[]): Report {
  const of = (name: string, pick: (one: Figures) => number) => median(runs.filter((one) => one.name === name).map(pick))
  const rate = (name: string, run: number) =>
    runs.find((one) => one.name === name && one.run === run)?.perSecond ?? Number.NaN
  const ratio = (name: string, to: string) => of(name, ({ perSecond, run }) => perSecond / rate(to, run))
  const shown = subjects.map(({ name, baseline }) => ({
    name,
    perSecond: of(name, ({ perSecond }) => perSecond),
    p50: of(name, ({ p50 }) => p50),
    p99: of(name, ({ p99 }) => p99),
    cpuMicroseconds: of(name, ({ cpuMicroseconds }) => cpuMicroseconds),
    toSameRead: baseline && ratio(name, baseline.name),
  }))
  const aims = subjects.flatMap(({ name, baseline }) =>
    baseline ? [aimOf(name, ratio(name, baseline.name), baseline.aim)] : [],
  )
  return {
    figures: { bench: 'api', connections: CONNECTIONS, routes: shown, aims, runs },
    tables: [
      {
        title: `${CONNECTIONS} connections; the API with a key and its rate limit, counted in the database`,
        head: ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'to the same read, bare'],
        rows: shown.map(({ toSameRead, ...one }) => [...Object.values(one), toSameRead ?? '']),
      },
    ],
    aims,
    remarks: [],
  }
}

const aimOf = (name: string, reached: number, aim: number): Aim => ({
  aim: `${name}: at least ${aim} of the same read, bare`,
  reached: figure(reached),
  met: reached >= aim,
})
