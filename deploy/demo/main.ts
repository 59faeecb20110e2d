// npm run demo: one job from POST to CSV, through all parts, on this machine only.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { type Job, SentJobRequest } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { createLifecycle, type Lifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { SingleBar } from 'cli-progress'
import Table from 'cli-table3'
import { z } from 'zod'
import { trustSimulatedCertificate } from '../simulation/map-site/certificate.ts'
import { startOutsideWorldProcess } from '../simulation/outside-world-process.ts'
import { readStandaloneSettings } from '../standalone/settings.ts'
import { startStandalone } from '../standalone/start.ts'
import { createDemoClient, type DemoClient, type ResultPage } from './client.ts'

const HELP = `Usage: npm run demo -- [options]

Starts Placefleet with its embedded servers and a simulated city whose map site shows whole places only to browsers. Collects
places with their emails in one job, and shows them.

  --keyword K   what to search for (restaurant): cafe, bakery, hotel, dentist, plumber, lawyer, gym, florist …
  --places N    how many places to collect at most, 1 to 500 (100)
  --fast        fast mode: collects only what the search shows
  --keep        keeps running afterwards and prints the API's address and key
  --json        prints the job and the timings as JSON, and nothing else on stdout
  --help        prints this text

Ctrl-C stops everything.`

/** Enough for the longest search in each of the city's twelve trades. */
const CITY_PLACES = 1_440
/** So that the demo shows a real Chromium. A refusal would make the exit rest, and the demo wait. */
const WHOLE_FOR_BROWSERS = ['trimPlainHttp']
const SHOWN = 6
const CSV = 'placefleet-demo.csv'

const OPTIONS = {
  keyword: { type: 'string', default: 'restaurant' },
  places: { type: 'string', default: '100' },
  fast: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const PLACES = 'must be a whole number from 1 to 500'

const Flags = z.object({
  keyword: SentJobRequest.shape.keywords.unwrap().element,
  places: z
    .string()
    .regex(/^\d{1,3}$/, PLACES)
    .transform(Number)
    .refine((places) => places >= 1 && places <= 500, PLACES),
  fast: z.boolean(),
  keep: z.boolean(),
  json: z.boolean(),
})
type Flags = z.infer<typeof Flags>

async function run(flags: Flags, life: Lifecycle, interrupted: AbortSignal): Promise<void> {
  const say = (text: string) => (flags.json ? undefined : console.log(text))
  const begun = performance.now()
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-demo-'))
  life.own('data', dataDir, (dir) => rmSync(dir, { recursive: true, force: true }))
  trustSimulatedCertificate()
  const world = life.own(
    'city',
    await startOutsideWorldProcess(CITY_PLACES, WHOLE_FOR_BROWSERS, { https: true }),
    (city) => city.stop(),
  )
  interrupted.throwIfAborted()
  const settings = readStandaloneSettings({
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    GRPC_PORT: '0',
    MAPS_BASE_URL: world.mapsBaseUrl,
    EXIT_RATE: '0', // the city is simulated
    ...(process.getuid?.() === 0 ? { CHROMIUM_SANDBOX: 'off' } : {}), // its pages are simulated too
    EGRESS_ALLOW_HOSTS: new URL(world.proxyUrl).host,
    LOG_LEVEL: process.env.LOG_LEVEL || 'fatal', // what matters stands in the results
  })
  const log = createLogger('placefleet', settings.config.LOG_LEVEL)
  const { url, firstKey } = await startStandalone(settings, log, life)
  const startMs = performance.now() - begun
  say(`Placefleet is up at ${url} after ${seconds(startMs)}: MongoDB, NATS, a coordinator and an agent.\n`)

  const client = createDemoClient(url, firstKey.key)
  const id = await client.create(jobRequest(flags, world.proxyUrl))
  say(`POST ${url}/api/v1/jobs → job ${id}`)
  const { job, firstPlaceMs } = await watchJob(client, id, flags.places, interrupted)
  const page = await client.firstResults(id, SHOWN)
  const owned = await client.firstResults(id, SHOWN, 'has')
  const csv = resolve(CSV)
  const { body } = await client.csv(id)
  if (body) await pipeline(Readable.fromWeb(body), createWriteStream(csv))
  const wholeMs = performance.now() - begun

  say(`\nThe first places:\n${placesTable(page.results)}`)
  say(`The first with their own website:\n${placesTable(owned.results)}`)
  say(`\n${jobSummary(job, page)}\nAll places as CSV: ${csv}`)
  say(
    `First start ${seconds(startMs)}, first place ${seconds(firstPlaceMs ?? 0)} after POST, all in ${seconds(wholeMs)}.`,
  )
  if (flags.json) console.log(JSON.stringify({ job, csv, timings_ms: rounded({ startMs, firstPlaceMs, wholeMs }) }))
  if (!flags.keep) return say('Next: `npm start` keeps it running, with your own places at the console that it prints.')
  say(`\nStaying up until Ctrl-C. Documents: ${url}/docs\nAPI key: ${firstKey.key}`)
  await new Promise((stop) => interrupted.addEventListener('abort', stop, { once: true }))
}

const jobRequest = (flags: Flags, proxy: string) => ({
  name: 'demo',
  keywords: [flags.keyword],
  language: 'en',
  max_results: flags.places,
  depth: 6,
  include_emails: true,
  fast_mode: flags.fast,
  proxies: [proxy],
})

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const rounded = (timings: Record<string, number | undefined>) =>
  Object.fromEntries(Object.entries(timings).map(([name, ms]) => [name, ms === undefined ? null : Math.round(ms)]))

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return console.log(HELP)
  const flags = checkOptions(Flags, values)
  const interruption = new AbortController()
  void stopSignal().then((signal) => interruption.abort(new Error(`stopped by ${signal}`)))
  const life = createLifecycle(createLogger('demo', 'error'))
  try {
    await run(flags, life, interruption.signal)
  } catch (error) {
    if (!interruption.signal.aborted || flags.keep) throw error
    process.exitCode = 130
  } finally {
    await life.close()
  }
}

const SHORTEST = 28

/** No lines between rows. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }

/** Formats places as a table. */
function placesTable(results: ResultPage['results']): string {
  const table = new Table({
    head: ['Title', 'Rating (reviews)', 'Phone', 'Website', 'Email'],
    style: { head: [], border: [] },
    chars: COMPACT,
  })
  for (const place of results) {
    const rating = place.rating > 0 ? `${place.rating} (${place.review_count ?? '?'})` : 'unrated'
    table.push([cut(place.title), rating, place.phone, place.web_presence, cut(place.emails)])
  }
  const isCountHidden = results.some(({ rating, review_count }) => rating > 0 && review_count === undefined)
  return isCountHidden ? `${table}\n(?): the map site hid the number of reviews.` : table.toString()
}

/** Summarizes the places and the cost of a job in a few lines. */
function jobSummary(job: Job, page: ResultPage): string {
  const tiers = Object.entries(page.web_presence_counts).map(([tier, count]) => `${tier} ${count}`)
  const outcomes = Object.entries(job.outcomes).filter(([, count]) => count > 0)
  return [
    `${job.result_count} places, ${job.status}. Websites: ${tiers.join(', ')}.`,
    `Outcomes: ${outcomes.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}. Cost: ${job.total_cost} credits.`,
    ...(job.failure_reason === undefined ? [] : [`Failed: ${job.failure_reason}`]),
  ].join('\n')
}

const cut = (text: string): string => (text.length > SHORTEST ? `${text.slice(0, SHORTEST - 1)}…` : text)

/** The rate limit of a free key allows two requests per second. */
const POLL_MS = 500

type Watched = { job: Job; firstPlaceMs: number | undefined }

/** Polls a job until it has ended and shows its progress on stderr. */
async function watchJob(client: DemoClient, id: string, wanted: number, signal: AbortSignal): Promise<Watched> {
  const started = performance.now()
  const bar = new SingleBar({
    format: '{bar} {value}/{total} places · {tasks} tasks done · {seconds} s',
    stream: process.stderr,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  })
  let firstPlaceMs: number | undefined
  bar.start(wanted, 0, { tasks: '0/0', seconds: 0 })
  try {
    for (;;) {
      const job = await client.job(id)
      const elapsed = performance.now() - started
      if (job.result_count > 0) firstPlaceMs ??= elapsed
      const { tasks_done, tasks_total } = job.progress
      bar.update(job.result_count, { tasks: `${tasks_done}/${tasks_total}`, seconds: (elapsed / 1_000).toFixed(1) })
      if (isFinal(job.status)) {
        bar.setTotal(job.result_count) // fewer than wanted if there are no more
        return { job, firstPlaceMs }
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  } finally {
    bar.stop()
  }
}

main()
  .catch((error: unknown) => {
    process.exitCode = explainEnd(error, HELP)
  })
  .finally(() => process.exit())
