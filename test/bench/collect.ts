import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { z } from 'zod'
import { countOption, UsageError } from './arguments.ts'
import { type Figures, reportOf } from './collect/report.ts'
import { type SiteProcess, startSiteProcess } from './collect/site-process.ts'
import { assertTruth } from './collect/truth.ts'
import type { Work } from './collect/work.ts'
import { COMPARISON } from './comparison.ts'
import { measureContender, rehearse } from './measure.ts'
import { type NodeRuntime, nodeRuntime } from './node-runtime.ts'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'

/** A way of collecting, and its contenders: first ours, then the one it is compared with. */
export type Case = Pick<Work, 'rung' | 'fast' | 'area' | 'images'> & {
  readonly name: string
  readonly places: number
  readonly contenders: readonly [string, ...string[]]
}

const CASES: readonly Case[] = [
  {
    name: 'http',
    rung: 'http',
    fast: false,
    area: false,
    places: 1200,
    contenders: ['agent', 'crawlee-http', 'product'],
  },
  { name: 'area', rung: 'http', fast: false, area: true, places: 1200, contenders: ['product'] },
  {
    name: 'http-fast',
    rung: 'http',
    fast: true,
    area: false,
    places: 1200,
    contenders: ['agent', 'crawlee-http', 'product'],
  },
  {
    name: 'browser',
    rung: 'browser',
    fast: false,
    area: false,
    places: 120,
    contenders: ['agent', 'crawlee-playwright'],
  },
  {
    name: 'browser-images',
    rung: 'browser',
    fast: false,
    area: false,
    images: 6,
    places: 120,
    contenders: ['agent'],
  },
  {
    name: 'browser-fast',
    rung: 'browser',
    fast: true,
    area: false,
    places: 600,
    contenders: ['agent', 'crawlee-playwright'],
  },
]

/** The categories of the simulated city. A search for its name finds each. */
const KEYWORDS = [
  ...['restaurant', 'cafe', 'coffee', 'bakery', 'bar', 'hotel'],
  ...['dentist', 'plumber', 'hairdresser', 'lawyer', 'gym', 'florist'],
]
/** The runtime that users run our contenders with. */
const RUNTIMES: Record<string, NodeRuntime> = { agent: nodeRuntime('agent'), product: nodeRuntime('start') }

/**
 * Returns the runtime of one of our contenders, with its own cache of compiled code. Node never adds to a cache. The cache
 * of a clone whose first start did no work costs up to 1 ms CPU a place more.
 */
function runtimeOf(contender: string, cache: string): NodeRuntime | undefined {
  const runtime = RUNTIMES[contender]
  return runtime && { ...runtime, env: { ...runtime.env, NODE_COMPILE_CACHE: cache } }
}

/** What a contender reports besides its end. The product reports its database commands. */
const Answer = z.object({ commands: z.record(z.string(), z.number()).optional() }).catch({})

const PLACES_A_KEYWORD = 100
const MOST_A_KEYWORD = 120
const SEED = 7

/**
 * Collects the same places with an agent and with Crawlee, one after the other, each in a separate process, from a
 * simulated map site in another process. Each must return exactly the places of the city.
 */
export async function benchCollect(args: string[], progress: Progress): Promise<Report> {
  const { cases, runs } = readArguments(args)
  const figures: Figures[] = []
  progress.begin(runs * cases.reduce((sum, { contenders }) => sum + contenders.length, 0))
  for (const wanted of cases) figures.push(...(await runCase(wanted, runs, progress)))
  return reportOf(cases, figures)
}

const OPTIONS = {
  places: { type: 'string' },
  runs: { type: 'string' },
  case: { type: 'string', multiple: true },
} as const

function readArguments(args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS })
  const unknown = values.case?.find((name) => !CASES.some((known) => known.name === name))
  if (unknown !== undefined) throw new UsageError(`there is no case "${unknown}"`)
  const chosen = CASES.filter(({ name }) => values.case?.includes(name) ?? true)
  const cases = chosen.map((one) => ({ ...one, places: countOption('places', values.places, one.places) }))
  return { cases, runs: countOption('runs', values.runs, 1) }
}

async function runCase(wanted: Case, runs: number, progress: Progress): Promise<Figures[]> {
  const { rung, fast, area, images, places, contenders } = wanted
  const keywords = KEYWORDS.slice(0, Math.ceil(places / PLACES_A_KEYWORD))
  const each = Math.min(MOST_A_KEYWORD, Math.ceil(places / keywords.length))
  const size = { seed: SEED, places: each * KEYWORDS.length }
  const directory = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  const site = await startSiteProcess(size)
  const output = join(directory, 'places.jsonl')
  const work = { mapsBaseUrl: site.url, rung, fast, area, images, keywords, output }
  const figures: Figures[] = []
  try {
    for (const contender of contenders) {
      const runtime = runtimeOf(contender, directory)
      if (runtime) await rehearse(scriptOf(contender), work, runtime)
    }
    for (let run = 0; run < runs; run++) {
      for (const contender of rotated(contenders, run)) {
        progress.now(`${wanted.name}: ${contender}`)
        const runtime = runtimeOf(contender, directory)
        figures.push(await measure(wanted.name, run, contender, work, size, site, runtime))
        progress.done()
      }
    }
  } finally {
    await site.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return figures
}

const scriptOf = (contender: string) =>
  join(contender.startsWith('crawlee-') ? COMPARISON : join(import.meta.dirname, 'collect'), `${contender}.ts`)

// The first contender of one run is the last of the next, so a machine that slows down favours none.
const rotated = (contenders: readonly string[], by: number): string[] =>
  contenders.map((_, index) => contenders[(index + by) % contenders.length] ?? '')

async function measure(
  name: string,
  run: number,
  contender: string,
  work: Work,
  size: { seed: number; places: number },
  site: SiteProcess,
  runtime: NodeRuntime | undefined,
): Promise<Figures> {
  await site.takeTraffic()
  const { usage, answer } = await measureContender(scriptOf(contender), work, runtime)
  const traffic = await site.takeTraffic()
  try {
    const places = await assertTruth(createCity(size), work)
    const { commands } = Answer.parse(answer)
    return { case: name, run, contender, places, ...traffic, ...usage, ...(commands && { commands }) }
  } catch (cause) {
    throw new Error(`${name}: ${contender} brought a wrong answer`, { cause })
  }
}
