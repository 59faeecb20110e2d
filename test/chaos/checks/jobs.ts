import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { Job } from '@placefleet/shared/job'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { idOf, type Order } from '../users/orders.ts'
import type { createUserClient } from '../users/user.ts'
import { createFindings, difference, type Violation } from './violation.ts'
import type { Seen } from './watch.ts'

type Client = ReturnType<typeof createUserClient>

const Page = z.object({
  results: z.array(z.looseObject({ data_id: z.string(), title: z.string() })),
  has_more: z.boolean(),
})
const JobPage = z.object({ jobs: z.array(Job), has_more: z.boolean() })

/** Longer than `max_time` by so much may a job run though processes die. */
const LATE_MS = 60_000

/** Checks each order against the API: its job exists once, ended in time, and has the right places. */
export async function checkJobs(
  { db, city, seen }: { db: Db; city: City; seen: ReadonlyMap<string, Seen> },
  orders: readonly Order[],
  clientOf: (order: Order) => Client,
): Promise<{ violations: Violation[]; jobs: Map<Order, Job> }> {
  const jobs = new Map<Order, Job>()
  const creation = createFindings('one job for each acknowledged creation')
  const places = createFindings('every place exactly once')
  const end = createFindings('nothing stored after the end')
  const life = createFindings('job ended as promised')
  for (const order of orders) {
    if (order.created !== 'ok') continue
    const client = clientOf(order)
    const { name } = order.request
    const job_id = idOf(order) ?? ''
    await client.create(order) // the same key once more
    creation.expect(order.ids.size === 1, `${name}: its key gave the jobs ${[...order.ids].join(' and ')}`)
    const read = await client.read(order)
    if (order.delete === 'ok') {
      creation.expect(read.answer.status === 404, `${name} was deleted and is answered with ${read.answer.status}`)
      const left = await resultsOf(db).countDocuments({ job_id, place_key: { $exists: true } })
      end.expect(left === 0, `${name} was deleted and has ${left} places`)
      continue
    }
    creation.expect(read.outcome === 'ok', `${name} was created and is answered with ${read.answer.status}`)
    if (read.outcome !== 'ok') continue
    const job = Job.parse(read.answer.body)
    jobs.set(order, job)
    for (const fault of lifeFaults(order, job)) life.expect(false, `${name} (${job.id}): ${fault}`)
    for (const fault of await placeFaults(client, city, order, job)) {
      places.expect(false, `${name} (${job.id}, ${job.status}, max ${order.request.max_results}): ${fault}`)
    }
    const stored = seen.get(job.id)?.stored
    end.expect(
      stored === undefined || stored === job.result_count,
      `${name} (${job.id}) had ${stored} places when it ended and has ${job.result_count}`,
    )
  }
  creation.violations.push(...(await listFaults(orders, clientOf)))
  creation.violations.push(...(await strangers(db, orders)))
  const violations = [creation, places, end, life].flatMap((found) => found.violations)
  return { violations, jobs }
}

function lifeFaults(order: Order, job: Job): string[] {
  const faults: string[] = []
  const ran = Date.parse(job.ended_at ?? '') - Date.parse(job.started_at ?? job.ended_at ?? '')
  const may = order.request.max_time * 1_000 + LATE_MS
  if (!(ran <= may)) faults.push(`ran for ${ran} ms, and may for ${may}`)
  if (order.cancel === 'ok' && job.status !== 'cancelled')
    faults.push(`its cancel was answered with 204; ${job.status}`)
  if (job.status === 'cancelled' && order.cancel === undefined && job.cancel_reason === 'user') {
    faults.push('nobody cancelled it')
  }
  if (job.status === 'failed' && job.result_count > 0) faults.push(`failed with ${job.result_count} places`)
  if (job.status === 'failed' && !job.failure_reason?.startsWith('agent_crashed'))
    faults.push(`failed: ${job.failure_reason}`)
  return faults
}

async function placeFaults(client: Client, city: City, order: Order, job: Job): Promise<string[]> {
  if (job.status === 'failed') return []
  const { keywords, max_results } = order.request
  const truth = new Set(keywords.flatMap((keyword) => city.keysOf(keyword)))
  const found: { data_id: string; title: string }[] = []
  for (let page = 1; ; page++) {
    const { answer, outcome } = await client.results(order, page)
    if (outcome !== 'ok') return [`its results are answered with ${answer.status} ${answer.error ?? ''}`]
    const { results, has_more } = Page.parse(answer.body)
    found.push(...results)
    if (!has_more) break
  }
  const keys = found.map(({ data_id }) => data_id)
  const faults: string[] = []
  if (new Set(keys).size < keys.length) faults.push(`${keys.length - new Set(keys).size} places are there twice`)
  if (keys.length !== job.result_count) faults.push(`shows ${job.result_count} places and has ${keys.length}`)
  if (keys.length > max_results) faults.push(`has ${keys.length} places`)
  const wrong = keys.filter((key) => !truth.has(key))
  if (wrong.length > 0) faults.push(`has places its keywords do not find: ${wrong.slice(0, 3)}`)
  const misnamed = found.filter(({ data_id, title }) => titleOf(city, data_id) !== title)
  if (misnamed.length > 0) faults.push(`${misnamed.length} places have a wrong title`)
  const complete = job.status === 'completed' && job.partial !== true
  if (complete && keys.length < Math.min(max_results, truth.size)) {
    faults.push(`is complete, with ${difference(keys, truth)}; outcomes ${JSON.stringify(job.outcomes)}`)
  }
  return faults
}

function titleOf(city: City, key: string): string | undefined {
  const index = city.indexOf(key)
  return index === undefined ? undefined : city.details(index).title
}

/** The list of each user's jobs holds exactly what they created and did not delete. */
async function listFaults(orders: readonly Order[], clientOf: (order: Order) => Client): Promise<Violation[]> {
  const { violations, expect } = createFindings('one job for each acknowledged creation')
  for (const [user, theirs] of Map.groupBy(orders, ({ user }) => user.name)) {
    const [first] = theirs
    if (!first) continue
    const listed: string[] = []
    for (let page = 1; ; page++) {
      const { jobs, has_more } = JobPage.parse((await clientOf(first).list(page)).answer.body)
      listed.push(...jobs.map(({ name }) => name))
      if (!has_more) break
    }
    const expected = theirs.filter((order) => order.created === 'ok' && order.delete !== 'ok')
    const wrong = difference(
      listed,
      expected.map(({ request }) => request.name),
    )
    expect(wrong === '' && new Set(listed).size === listed.length, `the list of ${user}: ${wrong || 'a job twice'}`)
  }
  return violations
}

/** Jobs in the database that no order stands for. */
async function strangers(db: Db, orders: readonly Order[]): Promise<Violation[]> {
  const { violations, expect } = createFindings('one job for each acknowledged creation')
  const known = new Set(orders.flatMap(({ ids }) => [...ids]))
  const users = { $in: [...new Set(orders.map(({ user }) => user.user_id))] }
  for (const { _id, name } of await jobsOf(db).find({ user_id: users }).toArray()) {
    expect(known.has(_id), `the job ${_id} (${name}) was never answered to anybody`)
  }
  return violations
}
