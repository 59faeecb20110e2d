import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '../harness/coordinator/client.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { type Backend, benchLifecycle, startBackend } from './api/backend.ts'
import { startChildServer } from './api/child-server.ts'
import { countOption } from './arguments.ts'
import { forgetPeak, peakOf, readTree } from './process-tree.ts'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'

const FOLLOWERS = 1_000
/** How many streams a user may have open. */
const PER_USER = 10
const SECONDS = 30

/** A job and the headers of its user. */
type Followed = { path: string; headers: Record<string, string> }

type Figures = {
  name: string
  megabytes: number
  kilobytesEach: number
  /** The share of one core while the followers wait. */
  cpuShare: number
  endSeconds: number
  endCpuSeconds: number
}

/**
 * Opens many event streams at one coordinator, ten for the job of each user. Measures their cost while they wait, and the
 * time until each has seen the end of its job. Compares both with a bare HTTP server of as many event streams.
 */
export async function benchFollow(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { followers: { type: 'string' }, seconds: { type: 'string' } } })
  const followers = countOption('followers', values.followers, FOLLOWERS)
  const seconds = countOption('seconds', values.seconds, SECONDS)
  const life = benchLifecycle()
  progress.begin(3)
  try {
    progress.now('jobs')
    const backend = await startBackend(life, { RATE_ADDRESS: '999999:999999' })
    const jobs = await pendingJobs(backend, Math.ceil(followers / PER_USER))
    progress.done()

    const end = async () => {
      await Promise.all(jobs.map(({ cancel }) => cancel()))
    }
    const all = Array.from({ length: followers }, (_, nth) => jobs[nth % jobs.length]).filter(
      (job) => job !== undefined,
    )
    const ours = await follow('coordinator', backend, all, seconds, end, progress)

    const server = life.own('bare server', await startChildServer('bare-streams.ts', {}), (bare) => bare.close())
    const stop = async () => {
      await fetch(`${server.url}/end`)
    }
    const bare = await follow('bare server', server, all, seconds, stop, progress)
    return reportOf(followers, seconds, [ours, bare])
  } finally {
    await life.close()
  }
}

/** Creates a pending job for each of `users` users. */
const pendingJobs = ({ db, url }: Backend, users: number): Promise<(Followed & { cancel(): Promise<unknown> })[]> =>
  Promise.all(
    Array.from({ length: users }, async () => {
      const { key } = await addUser(db)
      const client = createClient(url, key)
      const job_id = await client.create({ name: 'followed', keywords: ['bakery'] })
      const cancel = () => client.call('POST', `/api/v1/jobs/${job_id}/cancel`)
      return { path: `/api/v1/jobs/${job_id}/events`, headers: { authorization: `Bearer ${key}` }, cancel }
    }),
  )

/** Opens the streams, lets them wait, and closes them. */
async function follow(
  name: string,
  { url, pid }: { url: string; pid: number },
  followed: readonly Followed[],
  seconds: number,
  end: () => Promise<void>,
  progress: Progress,
): Promise<Figures> {
  progress.now(name)
  const before = readTree(pid).megabytes
  forgetPeak(pid)
  const agent = new Agent({ keepAlive: false })
  const streams = await Promise.all(followed.map(({ path, headers }) => open(`${url}${path}`, headers, agent)))
  const waiting = readTree(pid)
  await sleep(seconds * 1_000)
  const waited = readTree(pid)
  const started = performance.now()
  await Promise.all([end(), ...streams.map(untilEnd)])
  const endSeconds = (performance.now() - started) / 1_000
  const megabytes = peakOf(pid) - before
  progress.done()
  return {
    name,
    megabytes,
    kilobytesEach: (megabytes * 1_024) / followed.length,
    cpuShare: (waited.cpuSeconds - waiting.cpuSeconds) / seconds,
    endSeconds,
    endCpuSeconds: readTree(pid).cpuSeconds - waited.cpuSeconds,
  }
}

/** Opens a stream and waits for its first event. */
async function open(url: string, headers: Record<string, string>, agent: Agent): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(get(url, { headers, agent }), 'response')
  if (response?.statusCode !== 200) throw new Error(`${url} answered ${response?.statusCode}`)
  await once(response, 'readable')
  return response
}

/** @throws Error when a stream closes before it sent the end. */
async function untilEnd(stream: IncomingMessage): Promise<void> {
  let last = ''
  for await (const chunk of stream.setEncoding('utf8')) last = `${last}${chunk}`.slice(-200)
  if (!last.includes('id: end\n')) throw new Error(`a stream was cut after ${JSON.stringify(last)}`)
}

function reportOf(followers: number, seconds: number, figures: readonly [Figures, Figures]): Report {
  const [ours, bare] = figures
  const ratio = (pick: (one: Figures) => number) => pick(ours) / pick(bare)
  const row = ({ name, ...rest }: Figures) => [name, ...Object.values(rest)]
  return {
    figures: { bench: 'follow', followers, seconds, servers: figures },
    tables: [
      {
        title: `${followers} event streams at one server, waiting for ${seconds} s and then ended`,
        head: ['', 'memory MB', 'kB each', 'CPU share, waiting', 'seconds to the end', 'CPU s for the end'],
        rows: [
          ...figures.map(row),
          [
            'ratio',
            ratio(({ megabytes }) => megabytes),
            ratio(({ kilobytesEach }) => kilobytesEach),
            ratio(({ cpuShare }) => cpuShare),
            ratio(({ endSeconds }) => endSeconds),
            ratio(({ endCpuSeconds }) => endCpuSeconds),
          ],
        ],
      },
    ],
    remarks: [],
  }
}
