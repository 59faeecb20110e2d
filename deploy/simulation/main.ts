// Runs the simulated map site, or the whole simulated outside world, as a separate process.
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { listening } from '@placefleet/shared/listening'
import { z } from 'zod'
import { CERTIFICATE_FILE, simulatedCertificate } from './map-site/certificate.ts'
import { describeOptions, readSettings } from './map-site/options.ts'
import { startMapSite } from './map-site/server.ts'
import { startOutsideWorld } from './outside-world.ts'

const HELP = `npm run map-sim -- [--port P] [--host H] [--seed S] [--places N] [--https] [--websites] [--set MODE=VALUE ...]

Runs the simulated map site until it is stopped. The first line of output is MAPS_BASE_URL=<address>.

  --port P            port to listen on (default: a free one)
  --host H            address to listen on (default: 127.0.0.1; 0.0.0.0 = all)
  --seed S            whole number; the same seed gives the same city (default: 1)
  --places N          number of places, 1 to 100000 (default: 1440)
  --https             serve HTTPS and HTTP/2 like the real site; agents trust it by NODE_EXTRA_CA_CERTS=<printed file>
  --websites          run the websites of the city too, and a proxy that resolves their names: PROXY_URL=<printed address>
  --set MODE=VALUE    set a mode; repeatable; VALUE is JSON or a word, e.g. --set consent=true --set lastPage=full
  --help              this text

To collect from it, with the emails of its websites: give agents MAPS_BASE_URL, EXIT_RATE=0 and
EGRESS_ALLOW_HOSTS=<host and port of PROXY_URL>, and jobs "proxies": ["<PROXY_URL>"].

While it runs: GET and POST /__sim/options (a JSON object of modes), GET and DELETE /__sim/requests,
GET /__sim/truth?keyword=…, GET /__sim/place/<place key>?hl=…

Modes, with their defaults, and where the real site was seen to do so; any combination works:

${describeOptions()}`

const ARGUMENTS = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string', default: '1' },
  places: { type: 'string', default: '1440' },
  https: { type: 'boolean', default: false },
  websites: { type: 'boolean', default: false },
  set: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const

const Flags = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  seed: z.coerce.number().int().min(0).max(0xffff_ffff),
  places: z.coerce.number().int().min(1).max(100_000),
  https: z.boolean(),
  websites: z.boolean(),
  set: z.array(z.string()).default([]),
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: ARGUMENTS })
  if (values.help) return console.log(HELP)
  const { port, host, seed, places, https, websites, set } = checkOptions(Flags, values)
  const certificate = https ? { certificate: simulatedCertificate() } : {}
  const start = { port, host, seed, places, options: readSettings(set), ...certificate }
  const stopped = stopSignal()
  const where = { what: 'The map site', host, port, hostSetting: '--host', portSetting: '--port' }
  const world = websites ? await listening(where, startOutsideWorld(start)) : undefined
  const site = world?.site ?? (await listening(where, startMapSite(start)))
  console.log(`MAPS_BASE_URL=${site.url}`)
  if (world) console.log(`PROXY_URL=${world.proxy.url}`)
  if (https) console.log(`NODE_EXTRA_CA_CERTS=${CERTIFICATE_FILE}`)
  await stopped
  await (world ?? site).close()
  process.exit()
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
