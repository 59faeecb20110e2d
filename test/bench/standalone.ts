import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import { freePort } from '../harness/network/free-port.ts'
import { AMPLE, API_KEY, benchLifecycle, dataDirectory } from './api/backend.ts'
import { readOptions } from './arguments.ts'
import { startSiteProcess } from './collect/site-process.ts'
import { readTree } from './process-tree.ts'
import { aimOf, median, medians, type Report } from './report.ts'

const RUN = join(import.meta.dirname, '..', '..', 'bin', 'run.mjs')
const KEYWORDS = ['cafe', 'bakery', 'bar', 'hotel']
const PLACES = 20
const PACED_PLACES = 30
/** Requests a minute of one address: a cautious pace of an operator. */
const PACE = '30:30'
const POLL_MS = 10
const SETTLE_MS = 15_000

/** What one fresh installation showed, with the name and the unit of each figure, and what it aims at. */
const FIGURES = {
  coldStart: ['seconds to /health, first start of an installation', 2.5],
  warmStart: ['seconds to /health, later starts', 1.2],
  coldFirstPlace: ['seconds from POST to the first place, first job ever', 0.8],
  firstPlace: ['seconds from POST to the first place, later jobs', 0.25],
  workMegabytes: ['MB after jobs over plain HTTP', 400],
  idleMegabytes: ['MB of an idle installation', 240],
  idlePercent: ['idle CPU, % of one core', 1],
  pacedCpu: [`CPU ms a place beside idle, one address at ${PACE.split(':')[0]} requests a minute`, 8],
} as const
type Figures = Record<keyof typeof FIGURES, number>

/**
 * Measures what a self-hoster on one machine sees: the start of all programs, the first place of a job, their cost
 * while they wait, and the cost of a place at the pace of one address. Everything runs as `npm start` runs it.
 */
export async function benchStandalone(args: string[], say: (step: string) => void): Promise<Report> {
  const { runs, seconds } = readOptions(args, { runs: 3, seconds: 60 }).counts
  const life = benchLifecycle()
  try {
    const site = life.own('site', await startSiteProcess({ seed: 7, places: 1_500 }), (running) => running.close())
    const all: { name: string; figures: Figures }[] = []
    for (let run = 1; run <= runs; run++) {
      say(`run ${run}`)
      all.push({ name: 'installation', figures: await measureInstallation(life, site.url, seconds) })
    }
    const [{ figures } = { figures: undefined }] = medians(all)
    const rows = Object.entries(FIGURES).map(([name, [what, aim]]) => {
      return { what, aim, value: figures?.[name as keyof Figures] ?? Number.NaN }
    })
    return {
      tables: [
        {
          title: 'All programs on one machine, started by `npm start`',
          head: ['figure', 'value'],
          rows: rows.map(({ what, value }) => [what, value]),
        },
      ],
      aims: rows.map(({ what, aim, value }) => aimOf(what, 'at most', aim, value)),
      remarks: [
        `Medians of ${runs} installations, each with empty caches of its own. Idle: ${seconds} s. Memory counts shared pages once.`,
      ],
    }
  } finally {
    await life.close()
  }
}

async function measureInstallation(life: Lifecycle, mapsBaseUrl: string, seconds: number): Promise<Figures> {
  const directory = dataDirectory(life)
  const start = (rate: string) => startProgram(life, directory, mapsBaseUrl, rate)

  const cold = await start('0')
  const coldFirstPlace = await firstPlaceSeconds(cold.client, 'cafe')
  await cold.stop()

  const warm = await start('0')
  await firstPlaceSeconds(warm.client, 'restaurant')
  const waits: number[] = []
  for (const keyword of KEYWORDS) waits.push(await firstPlaceSeconds(warm.client, keyword))
  const workMegabytes = readTree(warm.pid).megabytes
  await warm.stop()

  const paced = await start(PACE)
  await sleep(SETTLE_MS)
  const idle = await cpuOf(paced.pid, () => sleep(seconds * 1_000))
  const idleMegabytes = readTree(paced.pid).megabytes
  const work = await cpuOf(paced.pid, async () => {
    await paced.client.finished(await paced.client.create({ keywords: ['cafe'], max_results: PACED_PLACES, depth: 2 }))
  })
  await paced.stop()
  const idleShare = idle.cpuSeconds / idle.wallSeconds
  return {
    coldStart: cold.healthSeconds,
    warmStart: warm.healthSeconds,
    coldFirstPlace,
    firstPlace: median(waits),
    workMegabytes,
    idleMegabytes,
    idlePercent: idleShare * 100,
    pacedCpu: ((work.cpuSeconds - idleShare * work.wallSeconds) * 1_000) / PACED_PLACES,
  }
}

/** Starts the product in a directory, whose caches are those of its last start, and waits for `/health`. */
async function startProgram(life: Lifecycle, directory: string, mapsBaseUrl: string, rate: string) {
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
  const child = spawn(process.execPath, [RUN, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  }
  life.own('npm start', stop, (end) => end())
  const isHealthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false, // nothing listens yet
    )
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await sleep(POLL_MS)
  }
  const healthSeconds = (performance.now() - begun) / 1_000
  return { healthSeconds, pid: child.pid ?? 0, client: createClient(url, API_KEY), stop }
}

/** The time from POST to the first stored place. Waits for the end of the job. */
async function firstPlaceSeconds(client: Client, keyword: string): Promise<number> {
  const begun = performance.now()
  const id = await client.create({ keywords: [keyword], max_results: PLACES })
  while ((await client.job(id)).result_count === 0) await sleep(POLL_MS)
  const seconds = (performance.now() - begun) / 1_000
  await client.finished(id)
  return seconds
}

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<{ cpuSeconds: number; wallSeconds: number }> {
  const before = readTree(pid).cpuSeconds
  const begun = performance.now()
  await work()
  return { cpuSeconds: readTree(pid).cpuSeconds - before, wallSeconds: (performance.now() - begun) / 1_000 }
}
