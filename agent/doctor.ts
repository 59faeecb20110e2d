// Requests one search and one place from the map site, and shows the returned fields.
import { parseArgs, styleText } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { JobData } from '@placefleet/shared/job'
import { createLogger } from '@placefleet/shared/log'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { z } from 'zod'
import { checkChromium } from './browser/check-chromium.ts'
import { problemForOperator } from './browser/chromium-problem.ts'
import { createCollector } from './collect/collector.ts'
import { exitLimits, readCollectingConfig } from './config.ts'
import { isEssential } from './drift/watched-paths.ts'
import { type Answered, checkSite, type SiteReport } from './site-check.ts'

const HELP = `Usage: npm run doctor:maps -- [options]

Makes one search at MAPS_BASE_URL, collects one of its places, and shows which fields came back, and which of the two
addresses gives its reviews over plain HTTP. Needs no coordinator and
no queue. The exit code is 0 when all is well, 1 when the site refuses, a field that every place has is missing, or
Chromium does not start (unless COLLECT_RUNG is http), and 2 when an option is wrong.

  --keyword K     what to search for (restaurant)
  --language L    in which language (en)
  --at LAT,LON    where, in decimal degrees (52.52,13.405)
  --json          the report as JSON
  --help          this text

Reads COLLECT_RUNG, CHROMIUM_PATH, CHROMIUM_SANDBOX, EGRESS_ALLOW_HOSTS and LOG_LEVEL (fatal), as an agent does.`

const AT = 'must be a latitude and a longitude in decimal degrees, e.g. 52.52,13.405'
const degrees = (limit: number) => z.number(AT).min(-limit, AT).max(limit, AT)
const Flags = z.object({
  keyword: z.string().min(1).max(200),
  language: JobData.shape.language,
  at: z.tuple([degrees(90), degrees(180)], AT),
})

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      keyword: { type: 'string', default: 'restaurant' },
      language: { type: 'string', default: 'en' },
      at: { type: 'string', default: '52.52,13.405' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const { keyword, language, at } = checkOptions(Flags, { ...values, at: values.at.split(',').map(Number) })
  const [latitude, longitude] = at
  const config = readSettings(readCollectingConfig, { LOG_LEVEL: 'fatal', ...process.env })
  const sandbox = config.CHROMIUM_SANDBOX === 'on'
  const log = createLogger('doctor', config.LOG_LEVEL)
  const { problem } = config.COLLECT_RUNG === 'http' ? {} : await checkChromium(sandbox, log)
  const collector = createCollector({
    mapsBaseUrl: config.MAPS_BASE_URL,
    rung: config.COLLECT_RUNG,
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    exits: exitLimits(config),
    sandbox,
    log,
  })
  try {
    const site = await checkSite(collector, { keyword, language, latitude, longitude })
    const report = problem ? { ...site, healthy: false, chromium_problem: problemForOperator(problem).join(' ') } : site
    console.log(values.json ? JSON.stringify(report, undefined, 2) : shown(config.MAPS_BASE_URL, report))
    process.exitCode = report.healthy ? 0 : 1
  } finally {
    await collector.close()
  }
}

type Report = SiteReport & { chromium_problem?: string }

function shown(site: string, { conclusion, search, place, reviews, chromium_problem }: Report): string {
  const summary = styleText(search.ok && place.ok ? 'green' : 'red', conclusion)
  const chromium = chromium_problem === undefined ? [] : [styleText('red', chromium_problem)]
  const parts = [...part('One search', search), '', ...part('One place', place), ...doors(reviews)]
  return [`${site}`, '', ...parts, '', summary, ...chromium].join('\n')
}

function part(name: string, { ok, places, failure, fields }: Answered): string[] {
  const head = `${styleText('bold', name)}: ${places} place${places === 1 ? '' : 's'}${failure ? `; ${failure}` : ''}`
  const lines = fields.map((field) => {
    const missing = isEssential(field) ? styleText('red', 'MISSING') : 'no'
    return `  ${field.field.padEnd(20)}${field.path.padEnd(32)}${field.came ? 'yes' : missing}`
  })
  return places > 0 ? [head, ...lines] : [ok ? head : styleText('red', head)]
}

function doors(reviews: Report['reviews']): string[] {
  const lines = reviews.map(({ door, verdict, reviews: count }) => `  ${door.padEnd(20)}${verdict}, ${count} reviews`)
  return lines.length > 0 ? ['', `${styleText('bold', 'Reviews')} over plain HTTP, by address`, ...lines] : []
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
