import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isFinal } from '@placefleet/shared/job-status'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { createClient } from '../harness/coordinator/client.ts'
import { freePort } from '../harness/network/free-port.ts'
import { API_KEY, benchLifecycle } from './api/backend.ts'
import { countOption } from './arguments.ts'
import { startSiteProcess } from './collect/site-process.ts'
import { readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { type Aim, figure, median, type Report } from './report.ts'

const RUN = join(import.meta.dirname, '..', '..', 'bin', 'run.mjs')
const KEYWORDS = ['cafe', 'bakery', 'bar', 'hotel']
const PLACES = 20
const PACED_PLACES = 30
/** Requests a minute of one address: a cautious pace of an operator. */
const PACE = '30:30'
const POLL_MS = 10
const AMPLE = '100000:100000'
const SETTLE_MS = 15_000

/** A running `npm start`: its time to a first answer of `/health`, and its process. */
type Started = { readonly healthSeconds: number; readonly pid: number; readonly url: string; stop(): Promise<void> }

/** What one fresh installation showed. */
type Figures = {
  coldStart: number
  coldFirstPlace: number
  warmStart: number
  firstPlace: number
  workMegabytes: number
  idleShare: number
  idleMegabytes: number
  pacedCpu: number
}

/**
 * Measures what a self-hoster on one machine sees: the start of all programs, the first place of a job, their cost while
 * they wait, and the cost of a place at the pace of one address. Everything runs as `npm start` runs it.
 */
export async function benchStandalone(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string' }, seconds: { type: 'string' } } })
  const runs = countOption('runs', values.runs, 3)
  const seconds = countOption('seconds', values.seconds, 60)
  const life = benchLifecycle()
  progress.begin(runs)
  try {
    const site = life.own('site', await startSiteProcess({ seed: 7, places: 1_500 }), (running) => running.close())
    const all: Figures[] = []
    for (let run = 1; run <= runs; run++) {
      progress.now(`run ${run}`)
      all.push(await measureInstallation(life, site.url, seconds))
      progress.done()
    }
    return reportOf(seconds, all)
  } finally {
    await life.close()
  }
}

async function measureInstallation(life: Lifecycle, mapsBaseUrl: string, seconds: number): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('installation', directory, (folder) => rmSync(folder, { recursive: true, force: true }))
  const start = (rate: string) => startProgram(life, directory, mapsBaseUrl, rate)

  const cold = await start('0')
  const coldFirstPlace = await firstPlaceSeconds(cold.url, 'cafe')
  await cold.stop()

  const warm = await start('0')
  await firstPlaceSeconds(warm.url, 'restaurant')
  const waits: number[] = []
  for (const keyword of KEYWORDS) waits.push(await firstPlaceSeconds(warm.url, keyword))
  const workMegabytes = readTree(warm.pid).megabytes
  await warm.stop()

  const paced = await start(PACE)
  await sleep(SETTLE_MS)
  const idle = await cpuOf(paced.pid, () => sleep(seconds * 1_000))
  const idleMegabytes = readTree(paced.pid).megabytes
  const work = await cpuOf(paced.pid, () => collect(paced.url, 'cafe', PACED_PLACES))
  await paced.stop()
  const idleShare = idle.cpuSeconds / idle.wallSeconds
  return {
    coldStart: cold.healthSeconds,
    coldFirstPlace,
    warmStart: warm.healthSeconds,
    firstPlace: median(waits),
    workMegabytes,
    idleShare,
    idleMegabytes,
    pacedCpu: ((work.cpuSeconds - idleShare * work.wallSeconds) * 1_000) / PACED_PLACES,
  }
}

/** Starts the product in a directory, whose caches are those of its last start. */
async function startProgram(life: Lifecycle, directory: string, mapsBaseUrl: string, rate: string): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    XDG_CACHE_HOME: join(directory, 'cache'),
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
    DATA_DIR: join(directory, 'data'),
    PORT: String(port),
    GRPC_PORT: '0',
    BOOTSTRAP_API_KEY: API_KEY,
    MAPS_BASE_URL: mapsBaseUrl,
    EXIT_RATE: rate,
    RATE_FREE: AMPLE,
    RATE_JOB_CREATE: AMPLE,
    LOG_LEVEL: 'warn',
    CHROMIUM_SANDBOX: 'off',
  }
  const begun = performance.now()
  const child = life.own(
    'npm start',
    spawn(process.execPath, [RUN, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
    stopped,
  )
  await until(child, () => isHealthy(url))
  const healthSeconds = (performance.now() - begun) / 1_000
  return { healthSeconds, pid: child.pid ?? 0, url, stop: () => stopped(child) }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch (error) {
    if (error instanceof TypeError) return false // nothing listens yet
    throw error
  }
}

async function until(child: ChildProcess, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await sleep(POLL_MS)
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** The time from POST to the first stored place. Waits for the end of the job. */
async function firstPlaceSeconds(url: string, keyword: string): Promise<number> {
  const client = createClient(url, API_KEY)
  const begun = performance.now()
  const id = await client.create({ keywords: [keyword], max_results: PLACES })
  while ((await client.job(id)).result_count === 0) await sleep(POLL_MS)
  const seconds = (performance.now() - begun) / 1_000
  await ended(url, id)
  return seconds
}

async function collect(url: string, keyword: string, max_results: number): Promise<void> {
  await ended(url, await createClient(url, API_KEY).create({ keywords: [keyword], max_results, depth: 2 }))
}

async function ended(url: string, id: string): Promise<void> {
  const { call, job } = createClient(url, API_KEY)
  while (!isFinal((await job(id)).status)) await call('GET', `/api/v1/jobs/${id}?wait=30`)
}

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<{ cpuSeconds: number; wallSeconds: number }> {
  const before = readTree(pid).cpuSeconds
  const begun = performance.now()
  await work()
  return { cpuSeconds: readTree(pid).cpuSeconds - before, wallSeconds: (performance.now() - begun) / 1_000 }
}

function reportOf(seconds: number, all: readonly Figures[]): Report {
  const of = (name: keyof Figures) => median(all.map((figures) => figures[name]))
  const aim = (what: string, value: number, unit: string, limit: number): Aim => ({
    aim: `${what} at most ${limit} ${unit}`,
    reached: `${figure(value)} ${unit}`,
    met: value <= limit,
  })
  const idlePercent = of('idleShare') * 100
  return {
    figures: { bench: 'standalone', runs: all },
    tables: [
      {
        title: 'All programs on one machine, started by `npm start`',
        head: ['figure', 'value'],
        rows: [
          ['seconds to /health, first start of an installation', of('coldStart')],
          ['seconds to /health, later starts', of('warmStart')],
          ['seconds from POST to the first place, first job ever', of('coldFirstPlace')],
          ['seconds from POST to the first place, later jobs', of('firstPlace')],
          ['MB after jobs over plain HTTP', of('workMegabytes')],
          ['MB of an idle installation', of('idleMegabytes')],
          ['idle CPU, % of one core', idlePercent],
          [`CPU ms a place beside idle, one address at ${PACE.split(':')[0]} requests a minute`, of('pacedCpu')],
        ],
      },
    ],
    aims: [
      aim('`npm start` to `/health`, first', of('coldStart'), 's', 2.5),
      aim('`npm start` to `/health`, later', of('warmStart'), 's', 1.2),
      aim('POST to first place, first job', of('coldFirstPlace'), 's', 0.8),
      aim('POST to first place, later', of('firstPlace'), 's', 0.25),
      aim('an idle installation', of('idleMegabytes'), 'MB', 240),
      aim('idle CPU', idlePercent, '% of a core', 1),
      aim('a place at the pace of one address', of('pacedCpu'), 'ms CPU', 8),
    ],
    remarks: [
      `Medians of ${all.length} installations, each with empty caches of its own. Idle: ${seconds} s. Memory counts shared pages once.`,
    ],
  }
}
