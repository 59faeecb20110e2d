import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { testUser } from '../harness/coordinator/users.ts'
import { benchLifecycle, startBackend } from './api/backend.ts'
import { countOption } from './arguments.ts'
import { measureContender } from './measure.ts'
import { forgetPeak, peakOf, readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import { quantiles } from './quantiles.ts'
import { type Aim, figure, type Report } from './report.ts'

const ROWS = 99_000
const ASK_EVERY_MS = 20
const QUIET_MS = 10_000

/** A heartbeat of an agent may wait so long, and the memory of the process may grow so far. */
const LONGEST_MS = 2_000
const GROWTH_MB = 250

type Health = {
  readonly name: string
  readonly asked: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/**
 * Sends many large files of known places at once, and meanwhile asks `/health`. The same without uploads is the baseline.
 * The files come from a separate process, so that their sender does not slow the questions.
 */
export async function benchUploads(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { uploads: { type: 'string' }, rows: { type: 'string' } } })
  const uploads = countOption('uploads', values.uploads, 25)
  const rows = countOption('rows', values.rows, ROWS)
  const life = benchLifecycle()
  progress.begin(2)
  try {
    const { url, pid, db } = await startBackend(life)
    const keys = await Promise.all(Array.from({ length: uploads }, async () => (await testUser(db)).key))
    progress.now('without uploads')
    await askWhile('warm up', url, sleep(1_000))
    const quiet = await askWhile('no uploads', url, sleep(QUIET_MS))
    progress.done()
    progress.now('uploads')
    const before = readTree(pid).megabytes
    forgetPeak(pid)
    const sending = measureContender(join(import.meta.dirname, 'uploads', 'send.ts'), { url, keys, rows })
    const busy = await askWhile(`${uploads} uploads`, url, sending)
    const { answer, usage } = await sending
    progress.done()
    return reportOf({ quiet, busy, uploads, rows, answer, seconds: usage.wallSeconds, before, peak: peakOf(pid) })
  } finally {
    await life.close()
  }
}

/** Asks `/health` again and again until the work is done. Every answer must be a 200. */
async function askWhile(name: string, url: string, work: Promise<unknown>): Promise<Health> {
  const took: number[] = []
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const asked = performance.now()
    const answer = await fetch(`${url}/health`)
    await answer.text()
    took.push(performance.now() - asked)
    if (answer.status !== 200) throw new Error(`/health answered ${answer.status}`)
    await sleep(ASK_EVERY_MS)
  }
  await done
  const at = quantiles(took)
  return { name, asked: took.length, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

type Seen = {
  readonly quiet: Health
  readonly busy: Health
  readonly uploads: number
  readonly rows: number
  readonly answer: unknown
  readonly seconds: number
  readonly before: number
  readonly peak: number
}

function reportOf({ quiet, busy, uploads, rows, answer, seconds, before, peak }: Seen): Report {
  const memory = { before, peak, growth: peak - before }
  const ratio = busy.p99 / quiet.p99
  const aims: Aim[] = [
    {
      aim: `/health never takes ${LONGEST_MS} ms`,
      reached: `${figure(busy.longest)} ms`,
      met: busy.longest < LONGEST_MS,
    },
    {
      aim: `memory grows by less than ${GROWTH_MB} MB`,
      reached: `${figure(memory.growth)} MB`,
      met: memory.growth < GROWTH_MB,
    },
  ]
  return {
    figures: { bench: 'uploads', uploads, rows, seconds, answer, health: [quiet, busy], p99Ratio: ratio, memory, aims },
    tables: [
      {
        title: `/health during ${uploads} uploads of ${rows} rows each, in ms`,
        head: ['', 'asked', 'p50', 'p99', 'longest', 'p99 to none'],
        rows: [quiet, busy].map((one) => [...Object.values(one), one.p99 / quiet.p99]),
      },
      { title: 'Memory of the coordinator in MB', head: ['before', 'peak', 'growth'], rows: [Object.values(memory)] },
    ],
    aims,
    remarks: [`All files were stored after ${figure(seconds)} s.`],
  }
}
