// npm run bench -- <name>: measures the product and a baseline in the same run.
import { inspect } from 'node:util'
import { trustSimulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { UsageError } from './arguments.ts'
import { installComparison } from './comparison.ts'
import { writeReport } from './page.ts'
import { type Report, renderReport, together } from './report.ts'

/** A benchmark with its own options. `say` tells what it does now. */
type Benchmark = (args: string[], say: (step: string) => void) => Promise<Report>

const BENCHMARKS: Record<string, { summary: string; hasRivals?: true; load(): Promise<Benchmark> }> = {
  collect: {
    summary: `places a second, CPU and memory of an agent on the simulated map site, beside Crawlee
               --places N  places of every case      --runs N   times; medians are shown (1)
               --case C    http, area, http-fast, browser, browser-images, browser-fast; may be given again`,
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
  hostile: {
    summary: `what is found of the truth, and what it costs, in each mode of the simulated map site
               --only TEXT  cases with this in their name (calm is always one); may be given again`,
    load: async () => (await import('./hostile.ts')).benchHostile,
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
}

/** What `all` runs: every section of the page but `time`, which takes an hour, because it keeps the usual pace. */
const ALL: Record<string, readonly string[]> = {
  collect: [],
  api: [],
  exports: [],
  follow: [],
  webhooks: [],
  standalone: ['--runs', '1'],
  history: ['--jobs', '20000', '--places', '100000'],
}

const USAGE = `Usage: npm run bench -- <name> [--json] [--write] [--help] [options]

  all          ${Object.keys(ALL).join(', ')}, and one table of what they aim at
${Object.entries(BENCHMARKS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join('\n')}

  --json       prints the report as JSON instead of tables
  --write      also writes the tables into coordinator/guides/performance.md
Ends with 1 when a benchmark fails (a wrong answer counts, a missed aim does not), with 2 when it is not called right.
`

async function main(args: string[]): Promise<number> {
  const [name = '', ...options] = args.filter((arg) => arg !== '--json' && arg !== '--write')
  if (args.includes('--help')) {
    process.stdout.write(USAGE)
    return 0
  }
  try {
    const runs = name === 'all' ? ALL : { [name]: options }
    // First, because npm may need the certificates that the environment names.
    if (Object.keys(runs).some((each) => BENCHMARKS[each]?.hasRivals)) installComparison()
    trustSimulatedCertificate()
    const reports: Report[] = []
    for (const [each, own] of Object.entries(runs)) reports.push(await measured(each, own, args.includes('--write')))
    const report = together(reports)
    process.stdout.write(args.includes('--json') ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report))
    return 0
  } catch (error) {
    const isUsageError = error instanceof UsageError || String(Object(error).code).startsWith('ERR_PARSE_ARGS')
    process.stderr.write(isUsageError ? `${Object(error).message}\n\n${USAGE}` : `${inspect(error)}\n`)
    return isUsageError ? 2 : 1
  }
}

/** @throws UsageError when there is no such benchmark, and what the benchmark throws. */
async function measured(name: string, options: readonly string[], isWritten: boolean): Promise<Report> {
  const run = await BENCHMARKS[name]?.load()
  if (!run) throw new UsageError(`there is no benchmark "${name}"`)
  const report = await run([...options], (step) => void process.stderr.write(`${name}: ${step}\n`))
  if (isWritten) writeReport(name, options, report)
  return report
}

process.exitCode = await main(process.argv.slice(2))
