import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { Job } from '@placefleet/shared/job'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type Client, idOf, type Order } from '../users/user.ts'
import { difference, type Expect } from './violation.ts'
import type { Seen } from './watch.ts'

const Page = z.object({
  results: z.array(z.looseObject({ data_id: z.string(), title: z.string() })),
  has_more: z.boolean(),
})
const JobPage = z.object({ jobs: z.array(Job), has_more: z.boolean() })

/** Longer than `max_time` by so much may a job run though processes die. */
const LATE_MS = 60_000

const CREATION = 'one job for each acknowledged creation'
const AFTER_END = 'nothing stored after the end'

/**
 * Checks each order against the API: its job exists once, ended in time, and has the right places. Returns the jobs.
 */
export async function checkJobs(
  { db, city, seen }: { db: Db; city: City; seen: ReadonlyMap<string, Seen> },
  orders: readonly Order[],
  clientOf: (order: Order) => Client,
  expect: Expect,
): Promise<Map<Order, Job>> {
  const jobs = new Map<Order, Job>()
  for (const order of orders) {
    if (!order.created) continue
    const client = clientOf(order)
    const { name, max_results } = order.request
    await client.create(order) // the same key once more
    expect(CREATION, order.ids.size === 1, `${name}: its key gave the jobs ${[...order.ids].join(' and ')}`)
    const { outcome, answer } = await client.read(order)
    if (order.delete === 'ok') {
      expect(CREATION, answer.status === 404, `${name} was deleted and is answered with ${answer.status}`)
      const left = await resultsOf(db).countDocuments({ job_id: idOf(order), place_key: { $exists: true } })
      expect(AFTER_END, left === 0, `${name} was deleted and has ${left} places`)
      continue
    }
    expect(CREATION, outcome === 'ok', `${name} was created and is answered with ${answer.status}`)
    if (outcome !== 'ok') continue
    const job = Job.parse(answer.body)
    jobs.set(order, job)
    for (const fault of lifeFaults(order, job)) expect('job ended as promised', false, `${name} (${job.id}): ${fault}`)
    for (const fault of await placeFaults(client, city, order, job)) {
      const about = `${name} (${job.id}, ${job.status}, max ${max_results})`
      expect('every place exactly once', false, `${about}: ${fault}`)
    }
    const { stored = job.result_count } = seen.get(job.id) ?? {}
    const then = `${name} (${job.id}) had ${stored} places when it ended and has ${job.result_count}`
    expect(AFTER_END, stored === job.result_count, then)
  }
  await checkLists(db, orders, clientOf, expect)
  return jobs
}

function lifeFaults(order: Order, { started_at, ended_at = '', ...job }: Job): string[] {
  const ran = Date.parse(ended_at) - Date.parse(started_at ?? ended_at)
  const may = order.request.max_time * 1_000 + LATE_MS
  const isOurs = job.status === 'cancelled' && order.cancel === undefined && job.cancel_reason === 'user'
  const failed = job.status === 'failed'
  const faults: Record<string, boolean> = {
    [`ran for ${ran} ms, and may for ${may}`]: !(ran <= may),
    [`its cancel was answered with 204; ${job.status}`]: order.cancel === 'ok' && job.status !== 'cancelled',
    'nobody cancelled it': isOurs,
    [`failed with ${job.result_count} places`]: failed && job.result_count > 0,
    [`failed: ${job.failure_reason}`]: failed && !job.failure_reason?.startsWith('agent_crashed'),
  }
  return Object.keys(faults).filter((fault) => faults[fault])
}

async function placeFaults(client: Client, city: City, order: Order, job: Job): Promise<string[]> {
  if (job.status === 'failed') return []
  const { keywords, max_results } = order.request
  const truth = new Set(keywords.flatMap((keyword) => city.keysOf(keyword)))
  const found: { data_id: string; title: string }[] = []
  for (let page = 1, isMore = true; isMore; page++) {
    const { answer, outcome } = await client.results(order, page)
    if (outcome !== 'ok') return [`its results are answered with ${answer.status} ${answer.error ?? ''}`]
    const { results, has_more } = Page.parse(answer.body)
    found.push(...results)
    isMore = has_more
  }
  const keys = found.map(({ data_id }) => data_id)
  const wrong = keys.filter((key) => !truth.has(key))
  const titleOf = (index: number | undefined) => (index === undefined ? undefined : city.details(index).title)
  const misnamed = found.filter(({ data_id, title }) => titleOf(city.indexOf(data_id)) !== title)
  const complete = job.status === 'completed' && job.partial !== true
  const faults: Record<string, boolean> = {
    'places are there twice': new Set(keys).size < keys.length,
    [`shows ${job.result_count} places and has ${keys.length}`]: keys.length !== job.result_count,
    [`has ${keys.length} places`]: keys.length > max_results,
    [`has places its keywords do not find: ${wrong.slice(0, 3)}`]: wrong.length > 0,
    [`${misnamed.length} places have a wrong title`]: misnamed.length > 0,
    [`is complete, with ${difference(keys, truth)}; outcomes ${JSON.stringify(job.outcomes)}`]:
      complete && keys.length < Math.min(max_results, truth.size),
  }
  return Object.keys(faults).filter((fault) => faults[fault])
}

/** The list of each user's jobs holds exactly what they created and did not delete, the database no job besides. */
async function checkLists(
  db: Db,
  orders: readonly Order[],
  clientOf: (order: Order) => Client,
  expect: Expect,
): Promise<void> {
  const known = new Set(orders.flatMap(({ ids }) => [...ids]))
  for (const [user, theirs] of Map.groupBy(orders, (order) => order.user)) {
    const listed: string[] = []
    for (let page = 1, isMore = true; isMore && theirs[0]; page++) {
      const { jobs, has_more } = JobPage.parse((await clientOf(theirs[0]).list(page)).answer.body)
      listed.push(...jobs.map(({ name }) => name))
      isMore = has_more
    }
    const kept = theirs.filter((order) => order.created && order.delete !== 'ok')
    const names = kept.map(({ request }) => request.name)
    const wrong = difference(listed, names) || (listed.length > names.length ? 'a job twice' : '')
    expect(CREATION, wrong === '', `the list of ${user.name}: ${wrong}`)
    for (const { _id, name } of await jobsOf(db).find({ user_id: user.user_id }).toArray()) {
      expect(CREATION, known.has(_id), `the job ${_id} (${name}) was never answered to anybody`)
    }
  }
}
