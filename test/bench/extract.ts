import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { crawlWebsite, type FetchedPage, type GetPage } from '@placefleet/agent/website/crawl'
import { type City, createCity } from '@placefleet/deploy/simulation/map-site/city'
import { startWebsites, type Websites } from '@placefleet/deploy/simulation/websites/server'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { WEB_PRESENCE_TIERS } from '@placefleet/shared/web-presence/tiers'
import { countOption } from './arguments.ts'
import { type Counts, exactness, NOTHING, plus } from './extract/exactness.ts'
import { LISTINGS } from './extract/listings.ts'
import type { Progress } from './progress.ts'
import type { Aim, Report } from './report.ts'

type Line = { readonly name: string; readonly counts: Counts; readonly missed: readonly string[] }

const SEED = 20
const EMAIL_AIM = { precision: 0.99, recall: 0.97 }

/**
 * Measures the precision and recall of website tiers over manually labelled listings, and of emails on simulated
 * websites by their obfuscation.
 */
export async function benchExtract(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { websites: { type: 'string' } } })
  const count = countOption('websites', values.websites, 120)
  progress.begin(count)
  const tiers = classified()
  const methods = await emailsOf(count, progress)
  return reportOf(tiers, methods, count)
}

function classified(): Line[] {
  const judged = LISTINGS.map((listing) => ({ ...listing, got: classifyWebsite(listing.url).tier }))
  return WEB_PRESENCE_TIERS.map((tier) => {
    const right = judged.filter((one) => one.tier === tier && one.got === tier).length
    const wrong = judged.filter((one) => one.tier !== tier && one.got === tier)
    const missed = judged.filter((one) => one.tier === tier && one.got !== tier)
    const counts = { right, wrong: wrong.length, missed: missed.length }
    return {
      name: tier,
      counts,
      missed: missed.map(({ url, got, hard }) => `${url} is ${tier}, not ${got}${hard ? ` (${hard})` : ''}`),
    }
  })
}

async function emailsOf(count: number, progress: Progress): Promise<Line[]> {
  const city = createCity({ seed: SEED, places: count * 3 })
  const websites = await startWebsites({ city })
  const lines = new Map<string, Line>()
  try {
    for (const index of indexesOf(city, count)) {
      const website = city.website(index)
      if (!website) throw new Error(`place ${index} has no website`)
      progress.now(website.host)
      const { emails } = await crawlWebsite(`http://${website.host}/`, {
        get: getFrom(websites),
        signal: new AbortController().signal,
      })
      const before = lines.get(website.method) ?? { name: website.method, counts: NOTHING, missed: [] }
      const missed = website.emails.filter((email) => !emails.includes(email))
      const wrong = emails.filter((email) => !website.emails.includes(email))
      const counts = { right: website.emails.length - missed.length, wrong: wrong.length, missed: missed.length }
      const faults = [
        ...missed.map((email) => `${website.host}: ${email} not found`),
        ...wrong.map((email) => `${website.host}: ${email} is none`),
      ]
      lines.set(website.method, {
        ...before,
        counts: plus(before.counts, counts),
        missed: [...before.missed, ...faults],
      })
      progress.done()
    }
  } finally {
    await websites.close()
  }
  return [...lines.values()].sort((a, b) => a.name.localeCompare(b.name))
}

function indexesOf(city: City, count: number): number[] {
  return [...Array(city.size).keys()].filter((index) => city.website(index)).slice(0, count)
}

/** Fetches every host from the simulated websites, because real DNS does not know their names. */
const getFrom =
  ({ host, port }: Websites): GetPage =>
  (url, signal) =>
    new Promise<FetchedPage>((resolve, reject) => {
      const asked = request({ host, port, path: url.pathname + url.search, headers: { host: url.host }, signal })
      asked.on('error', reject)
      asked.on('response', (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const contentType = answer.headers['content-type'] ?? ''
          resolve({ status: answer.statusCode ?? 0, url, contentType, text: Buffer.concat(parts).toString('utf8') })
        })
      })
      asked.end()
    })

function reportOf(tiers: readonly Line[], methods: readonly Line[], websites: number): Report {
  const classifier = exactness(sum(tiers))
  const emails = exactness(sum(methods))
  const aims: Aim[] = [
    { aim: 'tiers right', reached: percent(classifier.recall), met: classifier.recall >= EMAIL_AIM.precision },
    { aim: 'emails, precision 99 %', reached: percent(emails.precision), met: emails.precision >= EMAIL_AIM.precision },
    { aim: 'emails, recall 97 %', reached: percent(emails.recall), met: emails.recall >= EMAIL_AIM.recall },
  ]
  const hard = LISTINGS.flatMap((listing) => listing.hard ?? [])
  return {
    figures: {
      bench: 'extract',
      listings: LISTINGS.length,
      hardListings: hard.length,
      classifier,
      tiers: Object.fromEntries(tiers.map(({ name, counts }) => [name, { ...counts, ...exactness(counts) }])),
      websites,
      emails,
      methods: Object.fromEntries(methods.map(({ name, counts }) => [name, { ...counts, ...exactness(counts) }])),
      aims,
    },
    tables: [
      table(`${LISTINGS.length} listed websites by tier, ${hard.length} of them hard`, 'tier', tiers),
      table(`emails of ${websites} websites by the way they are hidden`, 'hidden as', methods),
    ],
    aims,
    remarks: [
      ...[...tiers, ...methods].flatMap(({ missed }) => missed),
      `Hard listings: ${[...new Set(hard)].join('; ')}.`,
    ],
  }
}

const table = (title: string, first: string, lines: readonly Line[]) => ({
  title,
  head: [first, 'right', 'wrong', 'missed', 'precision', 'recall'],
  rows: lines.map(({ name, counts }) => {
    const { precision, recall } = exactness(counts)
    return [
      name,
      String(counts.right),
      String(counts.wrong),
      String(counts.missed),
      percent(precision),
      percent(recall),
    ]
  }),
})

const sum = (lines: readonly Line[]): Counts => lines.reduce((total, { counts }) => plus(total, counts), NOTHING)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
