import { join } from 'node:path'
import { z } from 'zod'
import { benchLifecycle, startBackend } from './api/backend.ts'
import { readOptions } from './arguments.ts'
import { dismiss, measureContender, message, startScript } from './measure.ts'
import { medians, type Report } from './report.ts'

const RECEIVERS = 8
const FOLDER = join(import.meta.dirname, 'webhooks')

/** The first is ours. The last does the least work: it checks no address, keeps no record, reuses connections. */
const CONTENDERS = [
  { name: 'dispatch', script: 'dispatch.ts', keepAlive: false },
  { name: 'undici, a connection each', script: 'undici.ts', keepAlive: false },
  { name: 'undici, kept alive', script: 'undici.ts', keepAlive: true },
]

const Started = z.object({ ca: z.string(), hosts: z.array(z.string()) })
const Taken = z.object({ posts: z.int(), ids: z.int() })

/**
 * Delivers the same events to the same local receivers with a coordinator's deliveries and with a bare loop, one after
 * the other, each in its own process. Every delivery must arrive once.
 */
export async function benchWebhooks(args: string[], say: (step: string) => void): Promise<Report> {
  const { deliveries, runs } = readOptions(args, { deliveries: 2_000, runs: 1 }).counts
  const life = benchLifecycle()
  try {
    const { mongoUrl } = await startBackend(life)
    const receivers = life.own('receivers', startScript(join(FOLDER, 'receivers.ts'), [String(RECEIVERS)]), dismiss)
    const { ca, hosts } = Started.parse(await message(receivers))
    const measured: { name: string; figures: { perSecond: number; cpu: number; megabytes: number } }[] = []
    for (let run = 1; run <= runs; run++) {
      for (const { name, script, keepAlive } of CONTENDERS) {
        say(`run ${run}: ${name}`)
        const work = { deliveries, mongoUrl, ca, hosts, keepAlive }
        const { usage } = await measureContender(join(FOLDER, script), work)
        receivers.send('take')
        const { posts, ids } = Taken.parse(await message(receivers))
        if (posts !== deliveries || ids !== deliveries) {
          throw new Error(`${name}: ${posts} posts of ${ids} deliveries arrived, not ${deliveries}`)
        }
        const cpu = (usage.cpuSeconds / deliveries) * 1_000
        const figures = { perSecond: deliveries / usage.wallSeconds, cpu, megabytes: usage.peakMegabytes }
        measured.push({ name, figures })
      }
    }
    return reportOf(deliveries, medians(measured))
  } finally {
    await life.close()
  }
}

function reportOf(deliveries: number, shown: { name: string; figures: { perSecond: number } }[]): Report {
  const [ours, ...others] = shown
  const ratio = (perSecond: number) => (ours?.figures.perSecond ?? Number.NaN) / perSecond
  return {
    tables: [
      {
        title: `${deliveries} webhook deliveries to ${RECEIVERS} local receivers`,
        head: ['', 'deliveries/s', 'CPU s per 1,000', 'peak MB'],
        rows: shown.map(({ name, figures }) => [name, ...Object.values(figures)]),
      },
      {
        title: 'Deliveries a second, ours to',
        head: ['', 'ratio'],
        rows: others.map(({ name, figures }) => [name, ratio(figures.perSecond)]),
      },
    ],
    remarks: ['Every delivery arrived exactly once, over TLS with verified certificates.'],
  }
}
