import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { NewWebhook } from '@placefleet/coordinator/webhooks/schema'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { chance } from '@placefleet/deploy/simulation/map-site/random'
import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import { createLogger } from '@placefleet/shared/log'
import { until } from '../harness/until.ts'
import { checkJobs } from './checks/jobs.ts'
import { checkProcesses, checkQueue } from './checks/leftovers.ts'
import { checkMoney } from './checks/money.ts'
import { allFinal, allQuiet, settleOrders } from './checks/settle.ts'
import { checkTransitions } from './checks/transitions.ts'
import type { Violation } from './checks/violation.ts'
import { type Seen, watchJobs } from './checks/watch.ts'
import { checkWebhooks } from './checks/webhooks.ts'
import { applyFault, healAll } from './faults/apply.ts'
import { type Fault, planFaults } from './faults/plan.ts'
import { answers, type Fleet, removeFleet, startFleet } from './fleet/fleet.ts'
import { measureRecovery, type Recovery } from './recovery.ts'
import { callApi } from './users/client.ts'
import { createHistory, type History } from './users/history.ts'
import type { Order, User } from './users/orders.ts'
import { type Receiver, startReceiver } from './users/receiver.ts'
import { createUserClient, useService } from './users/user.ts'

export type RunOptions = { seed: number; minutes: number; users: number; rounds: number; keep: boolean }

export type RunReport = {
  seed: number
  faults: { total: number; missed: number; by_kind: Record<string, number> }
  calls: Record<string, number>
  jobs: Record<string, number>
  /** Seconds from the first sight of a job until it ran, and until its end. */
  waited_s: Record<'start' | 'end', { p50: number; p95: number; max: number }>
  recovery_ms?: Recovery
  violations: Violation[]
  seconds: number
  directory: string
}

const PLACES = 480
const AGENTS = 4
const COORDINATORS = 2

/** Runs a fleet under faults and users, heals it, and checks that nothing was lost. */
export async function runChaos(options: RunOptions, say: (line: string) => void): Promise<RunReport> {
  const begun = performance.now()
  const receiver = await startReceiver(options.seed)
  const fleet = await startChaosFleet(options, receiver)
  say(`fleet of ${COORDINATORS} coordinators and ${AGENTS} agents in ${fleet.dir}`)
  const watched = watchJobs(fleet.db, createLogger('watch', 'silent'))
  const parts = {
    seed: options.seed,
    bases: fleet.coordinators.map(({ url }) => url),
    history: createHistory(join(fleet.dir, 'history.jsonl')),
    orders: [] as Order[],
    proxy: fleet.outside.proxy,
  }
  let violations: Violation[] = []
  try {
    const users = await createUsers(fleet, options.users, receiver)
    const faults = await makeTrouble(fleet, options, users, parts, say)
    receiver.behave()
    const clientOf = (user: User) => createUserClient(parts, user, chance(options.seed, 0xc4ec))
    violations = await checkAll({ fleet, users, parts, watched, receiver, clientOf, options, say })
    await watched.loop.stop()
    const recovery = options.rounds > 0 ? await recovered(fleet, users, options, violations, say) : undefined
    violations.push(...(await checkQueue(fleet)), ...(await checkProcesses(fleet)))
    const report = {
      seed: options.seed,
      faults,
      calls: countBy(parts.history.calls.map(({ action, outcome }) => `${action} ${outcome}`)),
      jobs: countBy([...watched.jobs.values()].map(({ statuses }) => statuses.at(-1)?.status ?? 'none')),
      waited_s: waits([...watched.jobs.values()]),
      ...(recovery ? { recovery_ms: recovery } : {}),
      violations,
      seconds: Math.round((performance.now() - begun) / 1_000),
      directory: fleet.dir,
    }
    writeFileSync(join(fleet.dir, 'report.json'), JSON.stringify(report, undefined, 2))
    return report
  } finally {
    await watched.loop.stop()
    receiver.close()
    await removeFleet(fleet, options.keep || violations.length > 0)
  }
}

function startChaosFleet({ seed }: RunOptions, receiver: Receiver): Promise<Fleet> {
  return startFleet({
    seed,
    coordinators: COORDINATORS,
    agents: AGENTS,
    places: PLACES,
    trusted: receiver.ca,
    env: { WEBHOOK_ALLOW_HOSTS: receiver.host },
  })
}

async function createUsers({ db, coordinators }: Fleet, count: number, receiver: Receiver): Promise<User[]> {
  const ledger = createLedger(mongoLedgerStore(db))
  const users: User[] = []
  for (let n = 1; n <= count; n++) {
    const name = `user-${n}`
    const { _id: user_id } = await createUser(db, { email: `${name}@example.com` })
    const { key } = await createApiKey(db, user_id, { name })
    const reference = { reference_type: 'chaos', reference_id: 'credits' }
    await grant(ledger, { user_id, amount: microCredits('100000'), type: 'bonus', reference, description: 'chaos' })
    const body = { name, url: receiver.urlFor(name) }
    const { answer } = await callApi(coordinators[0]?.url ?? '', key, 'POST', '/api/v1/webhooks', { body })
    if (answer.status !== 201) throw new Error(`no webhook could be registered: ${JSON.stringify(answer)}`)
    const { id, secret } = NewWebhook.parse(answer.body)
    users.push({ name, user_id, key, webhook: { id, secret } })
  }
  return users
}

type UserParts = { seed: number; bases: string[]; history: History; orders: Order[]; proxy: string }

/** Lets the planned faults happen while users work, and ends with everything whole again. */
async function makeTrouble(
  fleet: Fleet,
  { seed, minutes }: RunOptions,
  users: User[],
  parts: UserParts,
  say: (line: string) => void,
): Promise<RunReport['faults']> {
  const plan = planFaults(seed, minutes)
  const stopping = new AbortController()
  const working = users.map((user, number) => useService(parts, user, number, stopping.signal))
  const begun = performance.now()
  const hits: { fault: Fault; hit: string | undefined }[] = []
  const log = (line: object) =>
    appendFileSync(join(fleet.dir, 'faults.jsonl'), `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
  const happening: Promise<void>[] = []
  for (const fault of plan) {
    await sleep(Math.max(0, fault.at - (performance.now() - begun)))
    log({ begins: fault })
    happening.push(
      applyFault(fleet, fault).then((hit) => {
        hits.push({ fault, hit })
        log({ ends: fault.number, kind: fault.kind, hit: hit ?? 'nothing' })
      }),
    )
    if (fault.number % 25 === 0) {
      say(
        `${fault.number} of ${plan.length} faults, ${parts.history.calls.length} calls, ${parts.orders.length} jobs ordered`,
      )
    }
  }
  await sleep(Math.max(0, minutes * 60_000 - (performance.now() - begun)))
  await Promise.all(happening)
  healAll(fleet)
  stopping.abort()
  await Promise.all(working)
  log({ healed: true })
  const took = hits.filter(({ hit }) => hit !== undefined)
  const by_kind = countBy(took.map(({ fault }) => fault.kind))
  return { total: took.length, missed: hits.length - took.length, by_kind }
}

type CheckParts = {
  fleet: Fleet
  users: User[]
  parts: UserParts
  watched: ReturnType<typeof watchJobs>
  receiver: Receiver
  clientOf(user: User): ReturnType<typeof createUserClient>
  options: RunOptions
  say(line: string): void
}

async function checkAll(check: CheckParts): Promise<Violation[]> {
  const { fleet, users, parts, watched, receiver, clientOf, say } = check
  const { orders } = parts
  const { db, options } = fleet
  await Promise.all(fleet.coordinators.map(({ url }) => answers(url)))
  await until('the database answers us, too', () => db.command({ ping: 1 }).then(Boolean, () => false), 60_000)
  say('healed; users settle what is open')
  const ofOrder = (order: Order) => clientOf(order.user)
  const violations = await settleOrders(orders, ofOrder)
  violations.push(...(await allFinal(db, Math.max(...orders.map(({ request }) => request.max_time)) * 1_000)))
  violations.push(...(await allQuiet(db)))
  say('all quiet; checking')
  await sleep(1_000) // the last look of the watcher
  const city = createCity({ seed: options.seed, places: options.places })
  const { violations: found, jobs } = await checkJobs({ db, city, seen: watched.jobs }, orders, ofOrder)
  violations.push(...found)
  violations.push(...(await checkMoney(fleet, users, jobs, clientOf)))
  violations.push(...(await checkWebhooks(db, users, receiver)))
  violations.push(...checkTransitions(watched.jobs, orders))
  violations.push(...watched.faults.map((message) => ({ check: 'job state machine', message })))
  return violations
}

async function recovered(
  fleet: Fleet,
  [user]: User[],
  { rounds }: RunOptions,
  violations: Violation[],
  say: (line: string) => void,
): Promise<Recovery | undefined> {
  if (!user) return undefined
  say('measuring how fast it recovers')
  try {
    return await measureRecovery(fleet, user, rounds)
  } catch (error) {
    violations.push({ check: 'recovery', message: error instanceof Error ? error.message : String(error) })
    return undefined
  }
}

function waits(jobs: Seen[]): RunReport['waited_s'] {
  const until = (reached: (status: JobStatus) => boolean) =>
    spread(
      jobs.flatMap(({ statuses: [first, ...later] }) => {
        const found = [first, ...later].find((seen) => seen && reached(seen.status))
        return first && found ? [(found.at - first.at) / 1_000] : []
      }),
    )
  return { start: until((status) => status !== 'pending'), end: until(isFinal) }
}

function spread(values: number[]) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1))
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
