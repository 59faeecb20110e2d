import { join } from 'node:path'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { z } from 'zod'
import { benchLifecycle, dataDirectory } from './api/backend.ts'
import { readOptions, UsageError } from './arguments.ts'
import { type Figures, reportOf } from './collect/report.ts'
import { startSiteProcess } from './collect/site-process.ts'
import { assertTruth } from './collect/truth.ts'
import type { Work } from './collect/work.ts'
import { COMPARISON } from './comparison.ts'
import { measureContender } from './measure.ts'
import { type NodeRuntime, nodeRuntime } from './node-runtime.ts'
import type { Report } from './report.ts'

/** A way of collecting, and its contenders: first ours, then the one it is compared with. */
export type Case = Pick<Work, 'rung' | 'fast' | 'area' | 'images'> & {
  readonly name: string
  readonly places: number
  readonly contenders: readonly [string, ...string[]]
}

const HTTP = { rung: 'http', fast: false, area: false, places: 1_200 } as const
const BROWSER = { rung: 'browser', fast: false, area: false, places: 120 } as const

const CASES: readonly Case[] = [
  { ...HTTP, name: 'http', contenders: ['agent', 'crawlee-http', 'product'] },
  { ...HTTP, name: 'area', area: true, contenders: ['product'] },
  { ...HTTP, name: 'http-fast', fast: true, contenders: ['agent', 'crawlee-http', 'product'] },
  { ...BROWSER, name: 'browser', contenders: ['agent', 'crawlee-playwright'] },
  { ...BROWSER, name: 'browser-images', images: 6, contenders: ['agent'] },
  { ...BROWSER, name: 'browser-fast', fast: true, places: 600, contenders: ['agent', 'crawlee-playwright'] },
]

/** The categories of the simulated city. A search for its name finds each. */
const KEYWORDS = [
  ...['restaurant', 'cafe', 'coffee', 'bakery', 'bar', 'hotel'],
  ...['dentist', 'plumber', 'hairdresser', 'lawyer', 'gym', 'florist'],
]
/** The runtime that users run our contenders with. */
const RUNTIMES: Record<string, NodeRuntime> = { agent: nodeRuntime('agent'), product: nodeRuntime('start') }

/** What a contender reports besides its end. The product reports its database commands. */
const Answer = z.object({ commands: z.record(z.string(), z.number()).optional() }).catch({})

const PLACES_A_KEYWORD = 100
const MOST_A_KEYWORD = 120
const SEED = 7
/** Stands for what each case has. */
const MOST_PLACES = 1_000_000

/**
 * Collects the same places with an agent and with Crawlee, one after the other, each in a separate process, from a
 * simulated map site in another process. Each must return exactly the places of the city.
 */
export async function benchCollect(args: string[], say: (step: string) => void): Promise<Report> {
  const { counts, texts } = readOptions(args, { places: MOST_PLACES, runs: 1 }, ['case'])
  const [names = CASES.map(({ name }) => name)] = texts
  const unknown = names.find((name) => !CASES.some((known) => known.name === name))
  if (unknown !== undefined) throw new UsageError(`there is no case "${unknown}"`)
  const cases = CASES.filter(({ name }) => names.includes(name))
  const figures: Figures[] = []
  for (const wanted of cases) {
    const places = counts.places === MOST_PLACES ? wanted.places : counts.places
    figures.push(...(await runCase({ ...wanted, places }, counts.runs, say)))
  }
  return reportOf(cases, figures)
}

async function runCase(wanted: Case, runs: number, say: (step: string) => void): Promise<Figures[]> {
  const { rung, fast, area, images, places, contenders } = wanted
  const keywords = KEYWORDS.slice(0, Math.ceil(places / PLACES_A_KEYWORD))
  const each = Math.min(MOST_A_KEYWORD, Math.ceil(places / keywords.length))
  const size = { seed: SEED, places: each * KEYWORDS.length }
  const life = benchLifecycle()
  try {
    const directory = dataDirectory(life)
    const site = life.own('site', await startSiteProcess(size), (started) => started.close())
    const work = { mapsBaseUrl: site.url, rung, fast, area, images, keywords, output: join(directory, 'places.jsonl') }
    const measure = async (contender: string, run: number): Promise<Figures> => {
      await site.takeTraffic()
      const { usage, answer } = await measureContender(scriptOf(contender), work, runtimeOf(contender, directory))
      const traffic = await site.takeTraffic()
      const stored = await assertTruth(createCity(size), work).catch((cause: unknown) => {
        throw new Error(`${wanted.name}: ${contender} brought a wrong answer`, { cause })
      })
      const { commands } = Answer.parse(answer)
      return { case: wanted.name, run, contender, places: stored, ...traffic, ...usage, ...(commands && { commands }) }
    }
    // Node has then stored their compiled code, as on a machine that they worked on before.
    for (const contender of contenders) if (RUNTIMES[contender]) await measure(contender, -1)
    const figures: Figures[] = []
    for (let run = 0; run < runs; run++) {
      // The first contender of one run is the last of the next, so a machine that slows down favours none.
      const first = run % contenders.length
      for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
        say(`${wanted.name}: ${contender}`)
        figures.push(await measure(contender, run))
      }
    }
    return figures
  } finally {
    await life.close()
  }
}

const scriptOf = (contender: string) =>
  join(contender.startsWith('crawlee-') ? COMPARISON : join(import.meta.dirname, 'collect'), `${contender}.ts`)

/**
 * Returns the runtime of one of our contenders, with its own cache of compiled code. Node never adds to a cache. The
 * cache of a clone whose first start did no work costs up to 1 ms CPU a place more.
 */
function runtimeOf(contender: string, cache: string): NodeRuntime | undefined {
  const runtime = RUNTIMES[contender]
  return runtime && { ...runtime, env: { ...runtime.env, NODE_COMPILE_CACHE: cache } }
}
