import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { createLogger } from '@placefleet/shared/log'
import { countOption } from './arguments.ts'
import { measureContender, type Usage } from './measure.ts'
import type { Progress } from './progress.ts'
import { median, type Report } from './report.ts'
import { type Receivers, startReceivers } from './webhooks/receivers-process.ts'

type Figures = Usage & { readonly run: number; readonly contender: string; readonly perSecond: number }

const RECEIVERS = 8

/** The first is ours. The last does the least work: it checks no address, keeps no record, reuses connections. */
const CONTENDERS = [
  { name: 'dispatch', script: 'dispatch.ts', keepAlive: false },
  { name: 'undici, a connection each', script: 'undici.ts', keepAlive: false },
  { name: 'undici, kept alive', script: 'undici.ts', keepAlive: true },
]

/**
 * Delivers the same events to the same local receivers with a coordinator's deliveries and with a bare loop, one after
 * the other, each in its own process. Every delivery must arrive once.
 */
export async function benchWebhooks(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { deliveries: { type: 'string' }, runs: { type: 'string' } } })
  const deliveries = countOption('deliveries', values.deliveries, 2_000)
  const runs = countOption('runs', values.runs, 1)
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  const servers = await startServers({ dataDir, env: process.env, log: createLogger('bench', 'error') })
  const receivers = await startReceivers(RECEIVERS)
  const figures: Figures[] = []
  progress.begin(runs * CONTENDERS.length)
  try {
    for (let run = 0; run < runs; run++) {
      for (const contender of CONTENDERS) {
        progress.now(contender.name)
        const { usage } = await deliver(contender, deliveries, servers.mongoUrl, receivers)
        figures.push({ ...usage, run, contender: contender.name, perSecond: deliveries / usage.wallSeconds })
        progress.done()
      }
    }
  } finally {
    await receivers.close()
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return reportOf(deliveries, figures)
}

async function deliver(
  { name, script, keepAlive }: (typeof CONTENDERS)[number],
  deliveries: number,
  mongoUrl: string,
  receivers: Receivers,
) {
  const { ca, hosts } = receivers
  const work = { deliveries, mongoUrl, ca, hosts, keepAlive }
  const measured = await measureContender(join(import.meta.dirname, 'webhooks', script), work)
  const { posts, ids } = await receivers.take()
  if (posts === deliveries && ids === deliveries) return measured
  throw new Error(`${name}: ${posts} posts of ${ids} deliveries arrived, not ${deliveries}`)
}

function reportOf(deliveries: number, runs: readonly Figures[]): Report {
  const shown = CONTENDERS.map(({ name: contender }) => {
    const of = (pick: (one: Figures) => number) => median(runs.filter((one) => one.contender === contender).map(pick))
    return {
      contender,
      perSecond: of(({ perSecond }) => perSecond),
      cpuSecondsPer1000: of(({ cpuSeconds }) => (cpuSeconds / deliveries) * 1_000),
      peakMegabytes: of(({ peakMegabytes }) => peakMegabytes),
    }
  })
  const [ours, ...others] = shown
  const ratios = Object.fromEntries(
    others.map(({ contender, perSecond }) => [contender, (ours?.perSecond ?? Number.NaN) / perSecond]),
  )
  return {
    figures: { bench: 'webhooks', deliveries, contenders: shown, ratios, runs },
    tables: [
      {
        title: `${deliveries} webhook deliveries to ${RECEIVERS} local receivers`,
        head: ['', 'deliveries/s', 'CPU s per 1,000', 'peak MB'],
        rows: shown.map((one) => [one.contender, one.perSecond, one.cpuSecondsPer1000, one.peakMegabytes]),
      },
      { title: 'Deliveries a second, ours to', head: ['', 'ratio'], rows: Object.entries(ratios) },
    ],
    remarks: ['Every delivery arrived exactly once, over TLS with verified certificates.'],
  }
}
