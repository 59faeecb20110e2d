// The simulated outside world as a process of its own, for the demo and for trying things out by hand.
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { z } from 'zod'
import { LatencyRange } from './map-site/options.ts'
import { startOutsideWorld } from './outside-world.ts'

const HELP = `Usage: node deploy/simulation/main.ts [--seed S] [--places N] [--block until-browser-cookie|always] [--latency MIN-MAX]

Starts the simulated map site, the websites of its city and a proxy from which their names resolve, prints
  MAPS_BASE_URL=...
  PROXY_URL=...
and runs until it is stopped. With --block the site keeps its payloads from what is not a browser;
with --latency, e.g. 50-300, each of its pages and payloads takes so many milliseconds.`

const Flags = z.object({
  seed: z.coerce.number().int().min(0).default(1),
  places: z.coerce.number().int().min(1).max(100_000).default(1_440),
  block: z.enum(['until-browser-cookie', 'always']).optional(),
  latency: LatencyRange.optional(),
})

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      places: { type: 'string' },
      block: { type: 'string' },
      latency: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const { seed, places, block, latency } = checkOptions(Flags, values)
  const toldToStop = stopSignal()
  const options = { ...(block ? { blockPlainHttp: block } : {}), ...(latency ? { latencyMs: latency } : {}) }
  const world = await startOutsideWorld({ seed, places, options })
  console.log(`MAPS_BASE_URL=${world.site.url}\nPROXY_URL=${world.proxy.url}`)
  await toldToStop
  await world.close()
  process.exit()
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
