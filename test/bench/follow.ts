import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../harness/coordinator/client.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { AMPLE, type Backend, benchLifecycle, type Server, startBackend, startServer } from './api/backend.ts'
import { readOptions } from './arguments.ts'
import { forgetPeak, peakOf, readTree } from './process-tree.ts'
import type { Report } from './report.ts'

/** How many streams a user may have open. */
const PER_USER = 10

/** The stream of a job, and what ends it. */
type Followed = { path: string; headers: Record<string, string>; cancel(): Promise<unknown> }

/**
 * Opens many event streams at one coordinator, ten for the job of each user. Measures their cost while they wait, and
 * the time until each has seen the end of its job. Compares both with a bare HTTP server of as many event streams.
 */
export async function benchFollow(args: string[], say: (step: string) => void): Promise<Report> {
  const { followers, seconds } = readOptions(args, { followers: 1_000, seconds: 30 }).counts
  const life = benchLifecycle()
  try {
    say('jobs')
    const backend = await startBackend(life, { RATE_ADDRESS: AMPLE })
    const jobs = await pendingJobs(backend, Math.ceil(followers / PER_USER))
    const all = Array.from({ length: PER_USER }, () => jobs)
      .flat()
      .slice(0, followers)
    say('coordinator')
    const ours = await follow(backend, all, seconds, () => Promise.all(jobs.map(({ cancel }) => cancel())))
    say('bare server')
    const server = await startServer(life, 'bare-streams.ts', {})
    const bare = await follow(server, all, seconds, () => fetch(`${server.url}/end`))
    const title = `${followers} event streams at one server, waiting for ${seconds} s and then ended`
    const head = ['', 'memory MB', 'kB each', 'CPU share, waiting', 'seconds to the end', 'CPU s for the end']
    const ratios = ours.map((value, nth) => value / (bare[nth] ?? Number.NaN))
    return {
      tables: [
        {
          title,
          head,
          rows: [
            ['coordinator', ...ours],
            ['bare server', ...bare],
            ['ratio', ...ratios],
          ],
        },
      ],
    }
  } finally {
    await life.close()
  }
}

/** Creates a pending job for each of `users` users. */
const pendingJobs = ({ db, url }: Backend, users: number): Promise<Followed[]> =>
  Promise.all(
    Array.from({ length: users }, async () => {
      const { key } = await addUser(db)
      const client = createClient(url, key)
      const job_id = await client.create({ name: 'followed', keywords: ['bakery'] })
      const cancel = () => client.call('POST', `/api/v1/jobs/${job_id}/cancel`)
      return { path: `/api/v1/jobs/${job_id}/events`, headers: { authorization: `Bearer ${key}` }, cancel }
    }),
  )

/** Opens the streams, lets them wait, and ends them. Returns the figures of a row. */
async function follow(
  { url, pid }: Server,
  followed: readonly Followed[],
  seconds: number,
  end: () => Promise<unknown>,
): Promise<number[]> {
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
  const share = (waited.cpuSeconds - waiting.cpuSeconds) / seconds
  const endCpu = readTree(pid).cpuSeconds - waited.cpuSeconds
  return [megabytes, (megabytes * 1_024) / followed.length, share, endSeconds, endCpu]
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
