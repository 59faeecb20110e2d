import { setTimeout as sleep } from 'node:timers/promises'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { Job } from '@placefleet/shared/job'
import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import { until } from '../harness/until.ts'
import { type Agent, answers, type Coordinator, type Fleet } from './fleet/fleet.ts'
import { callApi } from './users/client.ts'
import type { User } from './users/orders.ts'

/** Milliseconds from a fault until work went on, one figure a round. */
export type Recovery = {
  'agent killed': number[]
  'coordinator killed': number[]
  'NATS killed': number[]
  'NATS wiped': number[]
}

/** A task that has been running for so long has its assignment, and streams. */
const STREAMING_MS = 400

const KEYWORDS = ['bakery', 'gym', 'dentist', 'cafe', 'bar']

/** Measures on a healthy fleet how long it takes until the work of a killed process continues elsewhere. */
export async function measureRecovery(fleet: Fleet, user: User, rounds: number): Promise<Recovery> {
  const times: Recovery = { 'agent killed': [], 'coordinator killed': [], 'NATS killed': [], 'NATS wiped': [] }
  for (let round = 0; round < rounds; round++) {
    times['agent killed'].push(await afterAgentKill(fleet, user))
    times['coordinator killed'].push(await afterCoordinatorKill(fleet, user))
    times['NATS killed'].push(await afterQueueLoss(fleet, user, () => kill(fleet.nats.pid())))
    times['NATS wiped'].push(await afterQueueLoss(fleet, user, () => fleet.nats.wipe()))
  }
  return times
}

/** Until each task that an agent ran is held by another. */
async function afterAgentKill(fleet: Fleet, user: User): Promise<number> {
  await allUp(fleet)
  const job = await startJob(fleet, user)
  const { agent, tasks } = await until('an agent runs a task', () => anyBusy(fleet))
  const killedAt = performance.now()
  await agent.child.kill(25_000)
  const last = await until('its tasks run elsewhere', async () => {
    const now = await tasksOf(fleet.db)
      .find({ _id: { $in: tasks.map(({ _id }) => _id) } })
      .toArray()
    const attempts = new Map(tasks.map(({ _id, attempt }) => [_id, attempt]))
    const gone = now.every(({ _id, attempt, state }) => attempt > (attempts.get(_id) ?? 0) || state === 'done')
    return gone && performance.now()
  })
  await over(fleet, user, job)
  return Math.round(last - killedAt)
}

/** Until each task whose stream led to the coordinator has its lease renewed over another. */
async function afterCoordinatorKill(fleet: Fleet, user: User): Promise<number> {
  await allUp(fleet)
  let job = await startJob(fleet, user)
  const coordinator = busiest(fleet)
  const tasks = await until('tasks run over the coordinator', async () => {
    // A job may end before one of its tasks was seen twice.
    if (await isOver(fleet, user, job)) job = await startJob(fleet, user)
    const linked = linkedTo(fleet, coordinator)
    const running = async () => (await Promise.all(linked.map((agent) => runningOn(fleet, agent)))).flat()
    const before = new Set((await running()).map(({ _id }) => _id))
    await sleep(STREAMING_MS)
    return nonEmpty((await running()).filter(({ _id }) => before.has(_id)))
  })
  const killed = { at: performance.now(), date: Date.now() }
  await coordinator.child.kill(8_000)
  const last = await until('their leases are renewed', async () => {
    const now = await tasksOf(fleet.db)
      .find({ _id: { $in: tasks.map(({ _id }) => _id) } })
      .toArray()
    const renewed = now.every(
      ({ state, lease_until }) => state !== 'running' || (lease_until?.getTime() ?? 0) - TIMINGS.leaseMs > killed.date,
    )
    return renewed && performance.now()
  })
  await over(fleet, user, job)
  return Math.round(last - killed.at)
}

/** Until a job that is created right after the loss runs. */
async function afterQueueLoss(fleet: Fleet, user: User, lose: () => void): Promise<number> {
  await allUp(fleet)
  const lostAt = performance.now()
  lose()
  const job = await startJob(fleet, user)
  const running = await until(
    'the job runs',
    async () => (await statusOf(fleet, user, job)) !== 'pending' && performance.now(),
    60_000,
  )
  await over(fleet, user, job)
  return Math.round(running - lostAt)
}

const nonEmpty = <One>(list: One[]): One[] | undefined => (list.length > 0 ? list : undefined)

function kill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

// Agents stay where they are connected: after a fault of one coordinator all of them may be with the other.
function busiest(fleet: Fleet): Coordinator {
  const sorted = fleet.coordinators.toSorted(
    (one, other) => linkedTo(fleet, other).length - linkedTo(fleet, one).length,
  )
  if (!sorted[0]) throw new Error('there are no coordinators')
  return sorted[0]
}

const linkedTo = ({ agents, links }: Fleet, coordinator: Coordinator): Agent[] =>
  agents.filter(({ child }) => {
    const link = links.find(({ name }) => name === `${child.name} ${coordinator.child.name}`)
    return (link?.connections() ?? 0) > 0
  })

async function runningOn({ db }: Fleet, { child }: Agent) {
  const registered = (await createAgentRegistry(db).list()).filter(({ name }) => name === child.name)
  const agent_id = { $in: registered.map(({ _id }) => _id) }
  return tasksOf(db).find({ state: 'running', agent_id }).toArray()
}

async function anyBusy(fleet: Fleet) {
  for (const agent of fleet.agents) {
    const tasks = await runningOn(fleet, agent)
    if (tasks.length > 0) return { agent, tasks }
  }
  return undefined
}

async function allUp(fleet: Fleet): Promise<void> {
  await Promise.all(fleet.coordinators.map(({ url }) => answers(url)))
  await until(
    'all agents are up',
    () => fleet.agents.every(({ child }) => child.running() && child.uptimeMs() > 3_000),
    60_000,
  )
  await sleep(1_000)
}

async function startJob({ coordinators }: Fleet, user: User): Promise<string> {
  const body = { name: 'recovery', language: 'en', keywords: KEYWORDS, depth: 6, max_results: 500 }
  return until('a job is created', async () => {
    for (const { url } of coordinators) {
      const { answer } = await callApi(url, user.key, 'POST', '/api/v1/jobs', { body })
      if (answer.status === 201) return CreatedJob.parse(answer.body).id
    }
    return undefined
  })
}

async function statusOf({ coordinators }: Fleet, user: User, job: string): Promise<JobStatus | undefined> {
  for (const { url } of coordinators) {
    const { answer } = await callApi(url, user.key, 'GET', `/api/v1/jobs/${job}`)
    if (answer.status === 200) return Job.parse(answer.body).status
  }
  return undefined
}

async function isOver(fleet: Fleet, user: User, job: string): Promise<boolean> {
  const status = await statusOf(fleet, user, job)
  return status !== undefined && isFinal(status)
}

const over = (fleet: Fleet, user: User, job: string): Promise<boolean> =>
  until('the job is over', () => isOver(fleet, user, job), 120_000)
