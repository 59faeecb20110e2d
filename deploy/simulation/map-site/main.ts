import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { listening } from '@placefleet/shared/listening'
import { z } from 'zod'
import { LatencyRange, type SiteOptions } from './options.ts'
import { startMapSite } from './server.ts'

const HELP = `npm run map-sim -- --port P --seed S --places N [options]

Runs the simulated map site until stopped. Its first line of output is MAPS_BASE_URL=<address>.

  --port P            port to listen on (default: a free one)
  --host H            address to listen on (default: 127.0.0.1; 0.0.0.0 = all)
  --seed S            whole number; the same seed gives the same city (default: 1)
  --places N          number of places, 1 to 100000 (default: 1000)
  --vintage V         generation of pages and payloads: 2023 or 2026 (default)
  --latency MIN-MAX   every page and payload takes so many milliseconds, e.g. 50-300
  --failure-rate R    share of pages and payloads that fail, 0 to 1
  --block MODE        keep payloads from non-browsers: until-browser-cookie or always
  --rate-limit N/S/B  at most N requests an address in S seconds, else turned away for B seconds
  --consent           clients without consent cookie are sent to the consent page
  --limited           limited view
  --trimmed           payloads are always trimmed
  --review-list-shut  listugcposts answers with nulls only
  --envelope E        where search payloads hold places: rows (default) or list
  --ads               sponsored places on first pages
  --help              this text

While it runs: GET and POST /__sim/options, GET and DELETE /__sim/requests, GET /__sim/truth?keyword=…,
GET /__sim/place/<place key>?hl=…`

const ARGUMENTS = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string', default: '1' },
  places: { type: 'string', default: '1000' },
  vintage: { type: 'string' },
  latency: { type: 'string' },
  'failure-rate': { type: 'string' },
  block: { type: 'string' },
  'rate-limit': { type: 'string' },
  consent: { type: 'boolean', default: false },
  limited: { type: 'boolean', default: false },
  trimmed: { type: 'boolean', default: false },
  'review-list-shut': { type: 'boolean', default: false },
  envelope: { type: 'string' },
  ads: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const Flags = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  seed: z.coerce.number().int().min(0).max(0xffff_ffff),
  places: z.coerce.number().int().min(1).max(100_000),
  vintage: z.enum(['2023', '2026']).optional(),
  latency: LatencyRange.optional(),
  'failure-rate': z.coerce.number().min(0).max(1).optional(),
  block: z.enum(['until-browser-cookie', 'always']).optional(),
  'rate-limit': z
    .string()
    .regex(/^\d+\/\d+\/\d+$/)
    .optional(),
  consent: z.boolean(),
  limited: z.boolean(),
  trimmed: z.boolean(),
  'review-list-shut': z.boolean(),
  envelope: z.enum(['rows', 'list']).optional(),
  ads: z.boolean(),
})

const rateLimitOf = (text: string) => {
  const [requests = 1, window = 1, block = 1] = text.split('/').map(Number)
  return { requests, windowMs: window * 1000, blockMs: block * 1000 }
}

const optionsOf = (flags: z.infer<typeof Flags>): Partial<SiteOptions> => ({
  consent: flags.consent,
  limited: flags.limited,
  trimmed: flags.trimmed,
  ads: flags.ads,
  ...(flags.vintage ? { vintage: flags.vintage } : {}),
  ...(flags.latency ? { latencyMs: flags.latency } : {}),
  ...(flags['failure-rate'] ? { failureRate: flags['failure-rate'] } : {}),
  ...(flags.block ? { blockPlainHttp: flags.block } : {}),
  ...(flags['rate-limit'] ? { rateLimit: rateLimitOf(flags['rate-limit']) } : {}),
  ...(flags['review-list-shut'] ? { reviewList: 'shut' } : {}),
  ...(flags.envelope ? { envelope: flags.envelope } : {}),
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: ARGUMENTS })
  if (values.help) return console.log(HELP)
  const flags = checkOptions(Flags, values)
  const { port, host, seed, places } = flags
  const site = await listening(
    { what: 'The map site', host, port, hostSetting: '--host', portSetting: '--port' },
    startMapSite({ port, host, seed, places, options: optionsOf(flags) }),
  )
  console.log(`MAPS_BASE_URL=${site.url}`)
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
