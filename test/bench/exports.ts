import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { manyReviews, storePlaces } from './api/places.ts'
import { countOption } from './arguments.ts'
import { measureContender } from './measure.ts'
import { forgetPeak, peakOf, readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { type Aim, figure, median, type Report } from './report.ts'

const PLACES = 100_000
const STREAMED = ['csv', 'jsonl', 'geojson']
/** The formats that hold many places in memory. They get one job of the largest size, with many reviews per place. */
const GATHERED = ['xlsx', 'parquet']
const WORKBOOK = { places: 300, reviews: 300 }
const GROWTH_MB = 80
const CURSOR = 'bare cursor'

type Figures = { readonly name: string; readonly run: number; readonly rowsPerSecond: number } & Partial<Download>
type Download = {
  readonly seconds: number
  readonly megabytes: number
  readonly growthMegabytes: number
  readonly peakMegabytes: number
}

/**
 * Downloads a job of many places in each format from a coordinator in a separate process, and reads the same documents
 * with a bare cursor. The job is far larger than a real one, so memory that grows with a job would show.
 */
export async function benchExports(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { places: { type: 'string' }, runs: { type: 'string' } } })
  const places = countOption('places', values.places, PLACES)
  const runs = countOption('runs', values.runs, 1)
  const life = benchLifecycle()
  progress.begin(1 + runs * (STREAMED.length + GATHERED.length + 1))
  try {
    progress.now('storing places')
    const backend = await startBackend(life)
    const streamed = await endedJob(backend, 'Many places')
    const workbook = await endedJob(backend, 'Many reviews')
    await storePlaces(backend.db, streamed, places)
    await storePlaces(backend.db, workbook, WORKBOOK.places, manyReviews(WORKBOOK.reviews))
    progress.done()
    const figures: Figures[] = []
    for (let run = 0; run < runs; run++) {
      figures.push({ name: CURSOR, run, rowsPerSecond: await drain(backend, streamed.job_id, places, progress) })
      for (const format of STREAMED) {
        figures.push({ name: format, run, ...(await download(backend, streamed.job_id, format, places, progress)) })
      }
      for (const format of GATHERED) {
        figures.push({
          name: format,
          run,
          ...(await download(backend, workbook.job_id, format, WORKBOOK.places, progress)),
        })
      }
    }
    return reportOf(places, figures)
  } finally {
    await life.close()
  }
}

/** Rows per second. */
async function drain({ mongoUrl }: Backend, job_id: string, places: number, progress: Progress): Promise<number> {
  progress.now(CURSOR)
  const script = join(import.meta.dirname, 'exports', 'drain.ts')
  const { answer, usage } = await measureContender(script, { mongoUrl, job_id })
  if (answer !== places) throw new Error(`the cursor gave ${answer} of ${places} documents`)
  progress.done()
  return places / usage.wallSeconds
}

// Each format has its own coordinator: memory that one format has taken would not grow for the next.
async function download(backend: Backend, job_id: string, format: string, places: number, progress: Progress) {
  progress.now(format)
  const coordinator = await backend.another()
  try {
    const job = `${coordinator.url}/api/v1/jobs/${job_id}`
    await drop(job) // loads what the first request needs
    const before = readTree(coordinator.pid).megabytes
    forgetPeak(coordinator.pid)
    const started = performance.now()
    const { bytes, lines } = await drop(`${job}/download?format=${format}`)
    const seconds = (performance.now() - started) / 1_000
    if (STREAMED.includes(format) && lines < places) throw new Error(`${format}: ${lines} lines for ${places} places`)
    progress.done()
    const peakMegabytes = peakOf(coordinator.pid)
    const growthMegabytes = peakMegabytes - before
    return { rowsPerSecond: places / seconds, seconds, megabytes: bytes / 1e6, growthMegabytes, peakMegabytes }
  } finally {
    await coordinator.close()
  }
}

/** Reads a file and counts its bytes. It opens a new connection, because a kept one may be closed by now. */
async function drop(url: string): Promise<{ bytes: number; lines: number }> {
  const request = get(url, { agent: false, headers: { authorization: `Bearer ${API_KEY}` } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response?.statusCode !== 200) throw new Error(`${url} answered ${response?.statusCode}`)
  let [bytes, lines] = [0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  }
  return { bytes, lines }
}

function reportOf(places: number, runs: readonly Figures[]): Report {
  const names = [...new Set(runs.map(({ name }) => name))]
  const of = (name: string, pick: (one: Figures) => number | undefined) =>
    median(runs.filter((one) => one.name === name).map((one) => pick(one) ?? Number.NaN))
  const cursor = (run: number) => runs.find((one) => one.name === CURSOR && one.run === run)?.rowsPerSecond
  const shown = names.map((name) => ({
    name,
    rowsPerSecond: of(name, ({ rowsPerSecond }) => rowsPerSecond),
    toCursor: GATHERED.includes(name)
      ? Number.NaN
      : of(name, (one) => one.rowsPerSecond / (cursor(one.run) ?? Number.NaN)),
    seconds: of(name, ({ seconds }) => seconds),
    megabytes: of(name, ({ megabytes }) => megabytes),
    growthMegabytes: of(name, ({ growthMegabytes }) => growthMegabytes),
    peakMegabytes: of(name, ({ peakMegabytes }) => peakMegabytes),
  }))
  const aims = shown.filter(({ name }) => STREAMED.includes(name)).map(aimOf)
  return {
    figures: { bench: 'exports', places, workbook: WORKBOOK, formats: shown, aims, runs },
    tables: [
      {
        title: `${places} places in one file; xlsx and parquet: ${WORKBOOK.places} places with ${WORKBOOK.reviews} reviews each`,
        head: ['', 'rows/s', 'to the cursor', 'seconds', 'MB of file', 'memory growth MB', 'memory MB'],
        rows: shown.map((one) => Object.values(one)),
      },
    ],
    aims,
    remarks: [],
  }
}

function aimOf({ name, growthMegabytes }: { name: string; growthMegabytes: number }): Aim {
  const reached = `${figure(growthMegabytes)} MB`
  return { aim: `${name}: memory grows by less than ${GROWTH_MB} MB`, reached, met: growthMegabytes < GROWTH_MB }
}
