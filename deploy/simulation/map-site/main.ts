import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { listening } from '@placefleet/shared/listening'
import { z } from 'zod'
import { CERTIFICATE_FILE, simulatedCertificate } from './certificate.ts'
import { describeOptions, readSettings } from './options.ts'
import { startMapSite } from './server.ts'
import { SOURCES } from './sources.ts'

const HELP = `npm run map-sim -- [--port P] [--host H] [--seed S] [--places N] [--https] [--set MODE=VALUE ...]

Runs the simulated map site until it is stopped. The first line of output is MAPS_BASE_URL=<address>.

  --port P            port to listen on (default: a free one)
  --host H            address to listen on (default: 127.0.0.1; 0.0.0.0 = all)
  --seed S            whole number; the same seed gives the same city (default: 1)
  --places N          number of places, 1 to 100000 (default: 1000)
  --https             serve HTTPS and HTTP/2 like the real site; agents trust it by NODE_EXTRA_CA_CERTS=<printed file>
  --set MODE=VALUE    set a mode; repeatable; VALUE is JSON or a word, e.g. --set consent=true --set order=distance
  --sources           where the real site was observed to do what each mode does
  --help              this text

While it runs: GET and POST /__sim/options (a JSON object of modes), GET and DELETE /__sim/requests,
GET /__sim/truth?keyword=…, GET /__sim/place/<place key>?hl=…

Modes, with their defaults; any combination works:

${describeOptions()}`

const ARGUMENTS = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string', default: '1' },
  places: { type: 'string', default: '1000' },
  https: { type: 'boolean', default: false },
  set: { type: 'string', multiple: true },
  sources: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const describeSources = () =>
  Object.entries(SOURCES)
    .map(([mode, source]) => `  ${mode}: ${source}`)
    .join('\n')

const Flags = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  seed: z.coerce.number().int().min(0).max(0xffff_ffff),
  places: z.coerce.number().int().min(1).max(100_000),
  https: z.boolean(),
  set: z.array(z.string()).default([]),
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: ARGUMENTS })
  if (values.help) return console.log(HELP)
  if (values.sources) return console.log(describeSources())
  const { port, host, seed, places, https, set } = checkOptions(Flags, values)
  const certificate = https ? { certificate: simulatedCertificate() } : {}
  const site = await listening(
    { what: 'The map site', host, port, hostSetting: '--host', portSetting: '--port' },
    startMapSite({ port, host, seed, places, options: readSettings(set), ...certificate }),
  )
  console.log(`MAPS_BASE_URL=${site.url}`)
  if (https) console.log(`NODE_EXTRA_CA_CERTS=${CERTIFICATE_FILE}`)
  const stop = () => {
    site.close().then(
      () => process.exit(0),
      (error: unknown) => process.exit(explainEnd(error, HELP)),
    )
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
