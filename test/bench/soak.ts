import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { z } from 'zod'
import { countOption } from './arguments.ts'
import { measureContender } from './measure.ts'
import { nodeRuntime } from './node-runtime.ts'
import type { Progress } from './progress.ts'
import type { Aim, Report } from './report.ts'
import { SoakAnswer } from './soak/answer.ts'

type Soaked = z.infer<typeof SoakAnswer> & { readonly rung: 'http' | 'browser'; readonly growth: number }

const SAMPLES = 40
/** Samples to drop: the run is still warming up. */
const WARM_SHARE = 0.25
/** The highest ratio of memory in the second half to the first that counts as flat. */
const FLAT = 1.1

/**
 * Runs the collector of an agent for a long time in a separate process, over plain HTTP and in Chromium. Measures its
 * memory, its child processes and leftover processes at the end.
 */
export async function benchSoak(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { places: { type: 'string' }, pages: { type: 'string' } } })
  const runs = [
    { rung: 'http', places: countOption('places', values.places, 5_000) },
    { rung: 'browser', places: countOption('pages', values.pages, 600) },
  ] as const
  progress.begin(runs.length)
  const site = await startMapSite({
    seed: 7,
    places: 2_400,
    certificate: simulatedCertificate(),
    options: AS_LARGE_AS_REAL,
  })
  const keys = [...Array(2_000).keys()].map((index) => site.city.details(index).ids.dataId)
  const soaked: Soaked[] = []
  try {
    for (const { rung, places } of runs) {
      progress.now(`${places} places by ${rung}`)
      const spec = { mapsBaseUrl: site.url, rung, keys, places, sampleEvery: Math.max(1, Math.floor(places / SAMPLES)) }
      const { answer } = await measureContender(join(import.meta.dirname, 'soak/agent.ts'), spec, nodeRuntime('agent'))
      const run = SoakAnswer.parse(answer)
      soaked.push({ ...run, rung, growth: growthOf(run.samples.map(({ megabytes }) => megabytes)) })
      progress.done()
    }
  } finally {
    await site.close()
  }
  return reportOf(soaked)
}

// The means of the two halves after the warm-up.
function growthOf(megabytes: readonly number[]): number {
  const warm = megabytes.slice(Math.floor(megabytes.length * WARM_SHARE))
  const middle = Math.floor(warm.length / 2)
  const mean = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length
  return mean(warm.slice(middle)) / mean(warm.slice(0, middle))
}

function reportOf(soaked: readonly Soaked[]): Report {
  const aims = soaked.flatMap(({ rung, growth, left, samples }): Aim[] => [
    { aim: `memory flat (${rung})`, reached: `second half ${percent(growth)} of the first`, met: growth <= FLAT },
    {
      aim: `no process or zombie left (${rung})`,
      reached: `${left.living} and ${left.zombies}; ${Math.max(...samples.map(({ zombies }) => zombies))} zombies at once on the way`,
      met: left.living === 0 && left.zombies === 0,
    },
  ])
  return {
    figures: { bench: 'soak', runs: soaked, aims },
    tables: [
      {
        title: 'An agent collecting for long, four tasks at a time',
        head: ['by', 'places', 'places/s', 'MB at 1/4', 'MB at end', 'most MB', 'most processes'],
        rows: soaked.map(({ rung, samples, seconds }) => [
          rung,
          samples.at(-1)?.places ?? 0,
          (samples.at(-1)?.places ?? 0) / seconds,
          samples[Math.floor(samples.length * WARM_SHARE)]?.megabytes ?? 0,
          samples.at(-1)?.megabytes ?? 0,
          Math.max(...samples.map(({ megabytes }) => megabytes)),
          Math.max(...samples.map(({ processes }) => processes)),
        ]),
      },
    ],
    aims,
    remarks: [],
  }
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
