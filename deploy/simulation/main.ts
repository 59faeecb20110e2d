// Runs the simulated outside world as a separate process, for the demo and for manual experiments.
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { z } from 'zod'
import { readSettings } from './map-site/options.ts'
import { startOutsideWorld } from './outside-world.ts'

const HELP = `Usage: node deploy/simulation/main.ts [--seed S] [--places N] [--set MODE=VALUE ...]

Starts the simulated map site, the websites of its city and a proxy that resolves their names. Prints
  MAPS_BASE_URL=...
  PROXY_URL=...
and runs until it is stopped. --set sets a mode of the map site, e.g. --set blockPlainHttp=true
--set 'latencyMs={"min":50,"max":300}'. npm run map-sim -- --help lists all modes.`

const Flags = z.object({
  seed: z.coerce.number().int().min(0).default(1),
  places: z.coerce.number().int().min(1).max(100_000).default(1_440),
  set: z.array(z.string()).default([]),
})

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      places: { type: 'string' },
      set: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const { seed, places, set } = checkOptions(Flags, values)
  const stopped = stopSignal()
  const world = await startOutsideWorld({ seed, places, options: readSettings(set) })
  console.log(`MAPS_BASE_URL=${world.site.url}\nPROXY_URL=${world.proxy.url}`)
  await stopped
  await world.close()
  process.exit()
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
