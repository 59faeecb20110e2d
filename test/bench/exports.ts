import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { API_KEY, type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { manyReviews, storePlaces } from './api/places.ts'
import { readOptions } from './arguments.ts'
import { measureContender } from './measure.ts'
import { forgetPeak, peakOf, readTree } from './process-tree.ts'
import { aimOf, medians, type Report } from './report.ts'

const STREAMED = ['csv', 'jsonl', 'geojson']
/** The formats that hold many places in memory. They get one job of the largest size, with many reviews per place. */
const GATHERED = ['xlsx', 'parquet']
const WORKBOOK = { places: 300, reviews: 300 }
const GROWTH_MB = 80

/**
 * Downloads a job of many places in each format from a coordinator in a separate process, and reads the same documents
 * with a bare cursor. The job is far larger than a real one, so memory that grows with a job would show.
 */
export async function benchExports(args: string[], say: (step: string) => void): Promise<Report> {
  const { places, runs } = readOptions(args, { places: 100_000, runs: 1 }).counts
  const life = benchLifecycle()
  try {
    say('storing places')
    const backend = await startBackend(life)
    const streamed = await endedJob(backend, 'Many places')
    const workbook = await endedJob(backend, 'Many reviews')
    await storePlaces(backend.db, streamed, places)
    await storePlaces(backend.db, workbook, WORKBOOK.places, manyReviews(WORKBOOK.reviews))
    const measured: { name: string; figures: Figures }[] = []
    for (let run = 1; run <= runs; run++) {
      say(`run ${run}: bare cursor`)
      const cursor = await drain(backend, streamed.job_id, places)
      measured.push({ name: 'bare cursor', figures: { ...NOTHING, rowsPerSecond: cursor, toCursor: 1 } })
      for (const format of [...STREAMED, ...GATHERED]) {
        say(`run ${run}: ${format}`)
        const isStreamed = STREAMED.includes(format)
        const [job, count] = isStreamed ? [streamed.job_id, places] : [workbook.job_id, WORKBOOK.places]
        const { lines, ...rest } = await download(backend, job, format)
        if (isStreamed && lines < places) throw new Error(`${format}: ${lines} lines for ${places} places`)
        const rowsPerSecond = count / rest.seconds
        const toCursor = isStreamed ? rowsPerSecond / cursor : Number.NaN
        measured.push({ name: format, figures: { rowsPerSecond, toCursor, ...rest } })
      }
    }
    return reportOf(places, medians(measured))
  } finally {
    await life.close()
  }
}

const NOTHING = {
  rowsPerSecond: Number.NaN,
  toCursor: Number.NaN,
  seconds: Number.NaN,
  megabytes: Number.NaN,
  growthMegabytes: Number.NaN,
  peakMegabytes: Number.NaN,
}
type Figures = typeof NOTHING

/** Rows per second. */
async function drain({ mongoUrl }: Backend, job_id: string, places: number): Promise<number> {
  const script = join(import.meta.dirname, 'exports', 'drain.ts')
  const { answer, usage } = await measureContender(script, { mongoUrl, job_id })
  if (answer !== places) throw new Error(`the cursor gave ${answer} of ${places} documents`)
  return places / usage.wallSeconds
}

// Each format has its own coordinator: memory that one format has taken would not grow for the next.
async function download(backend: Backend, job_id: string, format: string) {
  const { url, pid, close } = await backend.another()
  const job = `${url}/api/v1/jobs/${job_id}`
  await drop(job) // loads what the first request needs
  const before = readTree(pid).megabytes
  forgetPeak(pid)
  const started = performance.now()
  const { bytes, lines } = await drop(`${job}/download?format=${format}`)
  const seconds = (performance.now() - started) / 1_000
  const peakMegabytes = peakOf(pid)
  await close()
  return { seconds, megabytes: bytes / 1e6, growthMegabytes: peakMegabytes - before, peakMegabytes, lines }
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

function reportOf(places: number, shown: { name: string; figures: Figures }[]): Report {
  const title = `${places} places in one file; xlsx and parquet: ${WORKBOOK.places} places with ${WORKBOOK.reviews} reviews each`
  const head = ['', 'rows/s', 'to the cursor', 'seconds', 'MB of file', 'memory growth MB', 'memory MB']
  return {
    tables: [{ title, head, rows: shown.map(({ name, figures }) => [name, ...Object.values(figures)]) }],
    aims: shown
      .filter(({ name }) => STREAMED.includes(name))
      .map(({ name, figures }) =>
        aimOf(`${name}, growth of memory`, 'at most', GROWTH_MB, figures.growthMegabytes, 'MB'),
      ),
  }
}
