import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend, startServer } from './api/backend.ts'
import { storePlaces } from './api/places.ts'
import { readOptions } from './arguments.ts'
import { COMPARISON } from './comparison.ts'
import { readTree } from './process-tree.ts'
import { aimOf, medians, type Report } from './report.ts'

const CONNECTIONS = 50
const JOBS = 100
const PLACES = 50

/** The least share of the requests a second of the same read over bare Fastify that the API must reach. */
const AIMS = [0.6, 0.8, 0.7]

/**
 * Sends requests to the API and to bare Fastify routes over the same database, one after the other. The API checks a
 * key and counts a rate limit that is never reached. Every answer must be a 200.
 */
export async function benchApi(args: string[], say: (step: string) => void): Promise<Report> {
  const { seconds, runs } = readOptions(args, { seconds: 4, runs: 3 }).counts
  const life = benchLifecycle()
  try {
    const api = await startBackend(life)
    const bare = await startServer(life, 'bare.ts', { MONGODB_URL: api.mongoUrl })
    const { user_id, job_id } = await fill(api)
    const jobs = `${api.url}/api/v1/jobs`
    // Each read follows its baseline, so that other work of the machine slows both.
    const subjects = [
      { name: 'bare: findOne', url: `${bare.url}/job/${job_id}`, pid: bare.pid },
      { name: 'GET /jobs/{id}', url: `${jobs}/${job_id}`, pid: api.pid },
      { name: 'bare: find of 10 jobs, count', url: `${bare.url}/jobs/${user_id}`, pid: bare.pid },
      { name: 'GET /jobs (10)', url: `${jobs}?limit=10`, pid: api.pid },
      { name: `bare: find of ${PLACES} places`, url: `${bare.url}/places/${job_id}`, pid: bare.pid },
      {
        name: `GET /jobs/{id}/results (${PLACES})`,
        url: `${jobs}/${job_id}/results?limit=${PLACES}`,
        pid: api.pid,
      },
    ]
    for (const subject of subjects) await ask(subject, 1) // warms up
    const measured: Awaited<ReturnType<typeof ask>>[] = []
    for (let run = 1; run <= runs; run++) {
      say(`run ${run}`)
      let baseline = Number.NaN
      for (const [nth, subject] of subjects.entries()) {
        const { name, figures } = await ask(subject, seconds)
        measured.push({ name, figures: { ...figures, toSameRead: figures.perSecond / baseline } })
        baseline = nth % 2 === 0 ? figures.perSecond : Number.NaN
      }
    }
    return reportOf(medians(measured))
  } finally {
    await life.close()
  }
}

/** Jobs of a user, and the places of the last one. */
async function fill(backend: Backend): Promise<{ user_id: string; job_id: string }> {
  for (let nth = 1; nth < JOBS; nth++) await endedJob(backend, `Bakeries ${nth}`)
  const last = await endedJob(backend, 'Bakeries')
  await storePlaces(backend.db, last, PLACES)
  return last
}

const LOAD = join(COMPARISON, 'node_modules/autocannon/autocannon.js')

const LoadResult = z.object({
  requests: z.object({ total: z.number(), average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  errors: z.number(),
  non2xx: z.number(),
})

/** Sends requests to the process `pid` for some seconds, from a process of its own. */
async function ask({ name, url, pid }: { name: string; url: string; pid: number }, seconds: number) {
  const before = readTree(pid).cpuSeconds
  const rates = ['--connections', String(CONNECTIONS), '--duration', String(seconds)]
  const headers = ['--headers', `authorization=Bearer ${API_KEY}`]
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, '--json', ...rates, ...headers, url])
  const { requests, latency, errors, non2xx } = LoadResult.parse(JSON.parse(stdout))
  const cpuMicroseconds = ((readTree(pid).cpuSeconds - before) * 1e6) / requests.total
  if (errors > 0 || non2xx > 0) throw new Error(`${name}: ${errors + non2xx} bad answers`)
  return { name, figures: { perSecond: requests.average, ...latency, cpuMicroseconds, toSameRead: Number.NaN } }
}

function reportOf(shown: Awaited<ReturnType<typeof ask>>[]): Report {
  const title = `${CONNECTIONS} connections; the API with a key and its rate limit, counted in the database`
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'to the same read, bare']
  const ours = shown.filter(({ name }) => !name.startsWith('bare'))
  return {
    tables: [{ title, head, rows: shown.map(({ name, figures }) => [name, ...Object.values(figures)]) }],
    aims: ours.map(({ name, figures }, nth) =>
      aimOf(`${name}, of the same read, bare`, 'at least', AIMS[nth] ?? 1, figures.toSameRead),
    ),
  }
}
