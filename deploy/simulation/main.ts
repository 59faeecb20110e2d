// Runs the simulated outside world as a separate process, for the demo and for manual experiments.
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { z } from 'zod'
import { CERTIFICATE_FILE, simulatedCertificate } from './map-site/certificate.ts'
import { readSettings } from './map-site/options.ts'
import { startOutsideWorld } from './outside-world.ts'

const HELP = `npm run world-sim -- [--seed S] [--places N] [--https] [--set MODE=VALUE ...]

Runs the simulated map site, the websites of its city and a proxy that resolves their names until it is stopped. Prints
  MAPS_BASE_URL=...
  PROXY_URL=...
  NODE_EXTRA_CA_CERTS=...   with --https

  --seed S            whole number; the same seed gives the same city (default: 1)
  --places N          number of places, 1 to 100000 (default: 1440)
  --https             the map site serves HTTPS and HTTP/2 like the real one; agents trust it by the printed file
  --set MODE=VALUE    set a mode of the map site; repeatable, e.g. --set blockPlainHttp=true
                      --set 'latencyMs={"min":50,"max":300}'. npm run map-sim -- --help lists all modes.

To collect from it, with the emails of its websites: give agents the first setting, EXIT_RATE=0 and
EGRESS_ALLOW_HOSTS=<host and port of PROXY_URL>, and jobs "proxies": ["<PROXY_URL>"].`

const Flags = z.object({
  seed: z.coerce.number().int().min(0).default(1),
  places: z.coerce.number().int().min(1).max(100_000).default(1_440),
  https: z.boolean(),
  set: z.array(z.string()).default([]),
})

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      places: { type: 'string' },
      https: { type: 'boolean', default: false },
      set: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const { seed, places, https, set } = checkOptions(Flags, values)
  const stopped = stopSignal()
  const world = await startOutsideWorld({
    seed,
    places,
    options: readSettings(set),
    ...(https ? { certificate: simulatedCertificate() } : {}),
  })
  console.log(`MAPS_BASE_URL=${world.site.url}\nPROXY_URL=${world.proxy.url}`)
  if (https) console.log(`NODE_EXTRA_CA_CERTS=${CERTIFICATE_FILE}`)
  await stopped
  await world.close()
  process.exit()
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
