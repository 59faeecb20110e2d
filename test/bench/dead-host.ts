import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { createLogger } from '@placefleet/shared/log'
import { z } from 'zod'
import { countOption } from './arguments.ts'
import { measureContender } from './measure.ts'
import type { Progress } from './progress.ts'
import { quantiles } from './quantiles.ts'
import type { Report } from './report.ts'

const CASES = [
  { name: 'alone', dead: 'none' },
  { name: 'beside a host that never answers', dead: 'silent' },
  { name: 'beside a host that refuses connections', dead: 'refusing' },
] as const

const Answer = z.object({ millis: z.array(z.number()), attempts: z.int() })

/**
 * Delivers to a healthy host while very many deliveries to a dead one are due, and without those. The latency is from the
 * end of a job to the arrival of its webhook.
 */
export async function benchDeadHost(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { backlog: { type: 'string' }, deliveries: { type: 'string' } } })
  const backlog = countOption('backlog', values.backlog, 10_000)
  const deliveries = countOption('deliveries', values.deliveries, 300)
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  const servers = await startServers({ dataDir, env: process.env, log: createLogger('bench', 'error') })
  const shown: { name: string; p50: number; p99: number; longest: number; attempts: number; cpuSeconds: number }[] = []
  progress.begin(CASES.length)
  try {
    for (const { name, dead } of CASES) {
      progress.now(name)
      const spec = { mongoUrl: servers.mongoUrl, dead, backlog, deliveries }
      const measured = await measureContender(join(import.meta.dirname, 'webhooks', 'beside-dead-host.ts'), spec)
      const { millis, attempts } = Answer.parse(measured.answer)
      const at = quantiles(millis)
      shown.push({
        name,
        p50: at(0.5),
        p99: at(0.99),
        longest: at(1),
        attempts,
        cpuSeconds: measured.usage.cpuSeconds,
      })
      progress.done()
    }
  } finally {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    figures: { bench: 'dead-host', backlog, deliveries, cases: shown },
    tables: [
      {
        title: `Latency of ${deliveries} deliveries to a healthy host, ${backlog} to a dead one due`,
        head: ['', 'p50 ms', 'p99 ms', 'longest ms', 'dead ones tried', 'CPU s'],
        rows: shown.map((one) => [one.name, one.p50, one.p99, one.longest, one.attempts, one.cpuSeconds]),
      },
    ],
    remarks: ['From the end of a job to the arrival of its webhook, one after the other.'],
  }
}
