// npm run bench -- <name>: measures the product and a baseline in the same run.
import { inspect } from 'node:util'
import { trustSimulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { UsageError } from './arguments.ts'
import { installComparison } from './comparison.ts'
import { writeReport } from './page.ts'
import { createProgress, type Progress } from './progress.ts'
import { type Report, renderReport, together } from './report.ts'

/**
 * A benchmark with its own options.
 * @throws the errors of `parseArgs` for an unknown option
 */
type Benchmark = (args: string[], progress: Progress) => Promise<Report>

const BENCHMARKS: Record<string, { summary: string; hasRivals?: true; load(): Promise<Benchmark> }> = {
  collect: {
    summary: `places a second, CPU and memory of an agent on the simulated map site, beside Crawlee
               --places N  places of every case      --runs N   times; medians are shown (1)
               --case C    http, http-fast, browser, browser-fast; may be given again`,
    hasRivals: true,
    load: async () => (await import('./collect.ts')).benchCollect,
  },
  api: {
    summary: `requests a second of the API, beside bare Fastify and findOne on the same database
               --seconds N  of every route (4)       --runs N   times; medians are shown (3)`,
    hasRivals: true,
    load: async () => (await import('./api.ts')).benchApi,
  },
  exports: {
    summary: `rows a second and memory of downloads, beside a bare cursor
               --places N  in the file (100000)      --runs N   times; medians are shown (1)`,
    load: async () => (await import('./exports.ts')).benchExports,
  },
  follow: {
    summary: `memory and CPU of many open event streams, beside a bare HTTP server
               --followers N  (1000)                 --seconds N  of waiting (30)`,
    load: async () => (await import('./follow.ts')).benchFollow,
  },
  webhooks: {
    summary: `deliveries a second, beside a bare loop of HTTP requests
               --deliveries N  (2000)                --runs N   times; medians are shown (1)`,
    load: async () => (await import('./webhooks.ts')).benchWebhooks,
  },
  extract: {
    summary: `how exactly emails are found and websites told apart
               --websites N  (120)`,
    load: async () => (await import('./extract.ts')).benchExtract,
  },
  hostile: {
    summary: `what is found of the truth, and what it costs, in each mode of the simulated map site
               --only TEXT  cases with this in their name (calm is always one); may be given again`,
    load: async () => (await import('./hostile.ts')).benchHostile,
  },
  exhaust: {
    summary: `share of a city's places that one job finds, and its searches beside those of an oracle
               --places N  through the product (1500) --seeds N  of 15,000 places by the rules alone (8)`,
    load: async () => (await import('./exhaust.ts')).benchExhaust,
  },
  time: {
    summary: 'how long ten kinds of jobs take at the usual pace, and what their estimates said',
    load: async () => (await import('./time.ts')).benchTime,
  },
  standalone: {
    summary: `what one machine with \`npm start\` shows: starts, the first place, idle cost, cost at the usual pace
               --runs N  fresh installations (3)     --seconds N  of idling (60)`,
    load: async () => (await import('./standalone.ts')).benchStandalone,
  },
  history: {
    summary: `idle CPU, a job, reads and a sweep with many ended jobs, beside an empty database
               --jobs N  ended before (100000)       --places N  of them (500000)`,
    load: async () => (await import('./history.ts')).benchHistory,
  },
  'first-run': {
    summary: `what a newcomer waits for: clone, install, demo
               --cold      with an empty cache of npm`,
    load: async () => (await import('./first-run.ts')).benchFirstRun,
  },
}

/** What `all` runs: every section of the page but `time`, which takes an hour, because it keeps the usual pace. */
const ALL = {
  collect: [],
  api: [],
  exports: [],
  follow: [],
  webhooks: [],
  standalone: ['--runs', '1'],
  history: ['--jobs', '20000', '--places', '100000'],
} as const satisfies Partial<Record<string, readonly string[]>>

const USAGE = `Usage: npm run bench -- <name> [--json] [--write] [--help] [options]

  all          ${Object.keys(ALL).join(', ')}, and one table of what they aim at
${Object.entries(BENCHMARKS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join('\n')}

  --json       prints the figures as JSON instead of tables
  --write      also writes the tables into coordinator/guides/performance.md
Ends with 1 when a benchmark fails (a wrong answer counts, a missed aim does not), with 2 when it is not called right.
`

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args.filter((arg) => arg !== '--json' && arg !== '--write')
  if (rest.includes('--help') || name === '--help') return say(USAGE, 0)
  if (name === undefined) return complain(USAGE, 2)
  try {
    const names = name === 'all' ? Object.keys(ALL) : [name]
    // First, because npm may need the certificates that the environment names.
    if (names.some((each) => BENCHMARKS[each]?.hasRivals)) installComparison()
    trustSimulatedCertificate()
    if (name !== 'all') return show(await measured(name, rest, args), args)
    const reports: Report[] = []
    for (const [each, options] of Object.entries(ALL)) reports.push(await measured(each, options, args))
    return show(together(reports), args)
  } catch (error) {
    if (isUsageError(error)) return complain(`${error.message}\n\n${USAGE}`, 2)
    return complain(`${inspect(error)}\n`, 1)
  }
}

/** @throws UsageError when there is no such benchmark, and what the benchmark throws. */
async function measured(name: string, options: readonly string[], args: readonly string[]): Promise<Report> {
  const benchmark = BENCHMARKS[name]
  if (!benchmark) throw new UsageError(`there is no benchmark "${name}"`)
  const progress = createProgress()
  const run = await benchmark.load()
  const report = await run([...options], progress).finally(progress.end)
  if (args.includes('--write')) writeReport(name, options, report)
  return report
}

function show(report: Report, args: readonly string[]): number {
  return say(args.includes('--json') ? `${JSON.stringify(report.figures, null, 2)}\n` : renderReport(report), 0)
}

function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof Error && 'code' in error && isParseArgsCode(error.code))
}

const isParseArgsCode = (code: unknown) => String(code).startsWith('ERR_PARSE_ARGS')

function say(text: string, code: number): number {
  process.stdout.write(text)
  return code
}

function complain(text: string, code: number): number {
  process.stderr.write(text)
  return code
}

process.exitCode = await main(process.argv.slice(2))
