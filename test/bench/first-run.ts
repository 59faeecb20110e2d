import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import type { Progress } from './progress.ts'
import { figure, type Report } from './report.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..')
const DEMO_SECONDS = 60

/** The line that `npm run demo -- --json` prints. */
const Demo = z.object({
  job: z.object({ status: z.string(), result_count: z.int() }),
  timings_ms: z.object({ startMs: z.number(), firstPlaceMs: z.number().nullable(), wholeMs: z.number() }),
})

/**
 * Measures the waits of a newcomer: clones the last commit into an empty directory, installs it and runs the demo, then
 * the demo in fast mode. Caches of unpacked files are empty; with `--cold` npm's cache is empty too.
 */
export async function benchFirstRun(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { cold: { type: 'boolean', default: false } } })
  const directory = mkdtempSync(join(tmpdir(), 'placefleet-first-run-'))
  const cwd = join(directory, 'placefleet')
  const env = newcomersEnv(directory, values.cold)
  progress.begin(4)
  try {
    const clone = await timed(progress, 'git clone', () => run('git', ['clone', '--quiet', ROOT, cwd], { env }))
    const install = await timed(progress, 'npm ci', () => run('npm', ['ci'], { cwd, env }))
    const demo = await timed(progress, 'npm run demo', () => runDemo(cwd, env))
    const fast = await timed(progress, 'npm run demo -- --fast', () => runDemo(cwd, env, '--fast'))
    return reportOf(values.cold, { clone: clone.seconds, install: install.seconds }, demo, fast)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type Timed<Result> = { readonly seconds: number; readonly result: Result }
type DemoRun = Timed<z.infer<typeof Demo>>

async function timed<Result>(progress: Progress, what: string, work: () => Promise<Result>): Promise<Timed<Result>> {
  progress.now(what)
  const started = performance.now()
  const result = await work()
  progress.done()
  return { seconds: (performance.now() - started) / 1_000, result }
}

async function runDemo(cwd: string, env: NodeJS.ProcessEnv, ...flags: string[]) {
  const { stdout } = await run('npm', ['run', '--silent', 'demo', '--', '--json', ...flags], { cwd, env })
  const demo = Demo.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  if (demo.job.status !== 'completed') throw new Error(`the demo's job ended as ${demo.job.status}`)
  return demo
}

/** Without the variables of `npm run`: the shell of a newcomer finds the machine's Node, and no unpacked files. */
function newcomersEnv(directory: string, cold: boolean): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_local_|NODE$)/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  return {
    ...Object.fromEntries(inherited),
    PATH: path.join(delimiter),
    XDG_CACHE_HOME: join(directory, 'cache'),
    ...(cold ? { npm_config_cache: join(directory, 'npm-cache') } : {}),
  }
}

function reportOf(cold: boolean, before: { clone: number; install: number }, demo: DemoRun, fast: DemoRun): Report {
  const seconds = (ms: number | null) => (ms ?? Number.NaN) / 1_000
  const timings = ({ seconds: whole, result }: DemoRun) => ({
    firstStart: seconds(result.timings_ms.startMs),
    firstPlace: seconds(result.timings_ms.firstPlaceMs),
    places: result.job.result_count,
    whole,
  })
  const [normal, quick] = [timings(demo), timings(fast)]
  const aims = [
    {
      aim: `the demo within ${DEMO_SECONDS} s after the installation`,
      reached: `${figure(normal.whole)} s`,
      met: normal.whole < DEMO_SECONDS,
    },
  ]
  return {
    figures: { bench: 'first-run', cold, ...before, demo: normal, fastDemo: quick, aims },
    tables: [
      {
        title: `A first run in seconds, npm's cache ${cold ? 'empty' : 'as it is'}`,
        head: ['', 'git clone', 'npm ci', 'first start', 'first place after POST', 'places', 'whole demo'],
        rows: [
          ['npm run demo', before.clone, before.install, ...Object.values(normal)],
          ['again, --fast', '', '', ...Object.values(quick)],
        ],
      },
    ],
    aims,
    remarks: [],
  }
}
