import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NewWebhook } from '@placefleet/coordinator/webhooks/schema'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { chance } from '@placefleet/deploy/simulation/map-site/random'
import { addUser } from '../harness/coordinator/users.ts'
import { until } from '../harness/until.ts'
import { checkJobs } from './checks/jobs.ts'
import { checkProcesses, checkQueue } from './checks/leftovers.ts'
import { checkMoney } from './checks/money.ts'
import { allFinal, allQuiet, settleOrders } from './checks/settle.ts'
import { checkTransitions } from './checks/transitions.ts'
import type { Expect, Violation } from './checks/violation.ts'
import { watchJobs } from './checks/watch.ts'
import { checkWebhooks, startMoodyReceiver } from './checks/webhooks.ts'
import { applyFault, healAll } from './faults/apply.ts'
import { planFaults } from './faults/plan.ts'
import { answers, type Fleet, removeFleet, startFleet } from './fleet/fleet.ts'
import { callApi } from './users/client.ts'
import { createUserClient, type Order, type Service, type User, useService } from './users/user.ts'

type RunOptions = { seed: number; minutes: number; users: number; keep: boolean }

export type RunReport = {
  seed: number
  faults: Record<string, number>
  calls: Record<string, number>
  jobs: Record<string, number>
  violations: Violation[]
  directory: string
}

const PLACES = 480
const AGENTS = 4
const COORDINATORS = 2

/** Runs a fleet under faults and users, heals it, and checks that nothing was lost. */
export async function runChaos(options: RunOptions, say: (line: string) => void): Promise<RunReport> {
  const { seed } = options
  const receiver = await startMoodyReceiver(chance(seed, 0x3eb))
  const fleet = await startFleet({
    seed,
    coordinators: COORDINATORS,
    agents: AGENTS,
    places: PLACES,
    trusted: receiver.ca,
    env: { WEBHOOK_ALLOW_HOSTS: receiver.host },
  })
  const { dir: directory, db } = fleet
  say(`fleet of ${COORDINATORS} coordinators and ${AGENTS} agents in ${directory}`)
  const violations: Violation[] = []
  const expect: Expect = (check, holds, message) => void (holds || violations.push({ check, message }))
  const watched = watchJobs(db, expect)
  const service: Service = {
    seed,
    bases: fleet.coordinators.map(({ url }) => url),
    orders: [],
    calls: [],
    historyFile: join(directory, 'history.jsonl'),
    proxy: fleet.outside.proxy,
  }
  try {
    const users = await createUsers(fleet, options.users, receiver.url)
    const faults = await makeTrouble(fleet, options, users, service, say)
    receiver.behave()
    await Promise.all(service.bases.map(answers))
    await until('the database answers us, too', () => db.command({ ping: 1 }).then(Boolean, () => false), 60_000)
    say('healed; users settle what is open')
    const clientOf = (user: User) => createUserClient(service, user, chance(seed, 0xc4ec))
    const ofOrder = (order: Order) => clientOf(order.user)
    const { orders } = service
    await settleOrders(orders, ofOrder, expect)
    await allFinal(db, Math.max(...orders.map(({ request }) => request.max_time)) * 1_000, expect)
    await allQuiet(db, expect)
    say('all quiet; checking')
    await sleep(1_000) // the last look of the watcher
    const city = createCity({ seed, places: PLACES })
    const jobs = await checkJobs({ db, city, seen: watched.jobs }, orders, ofOrder, expect)
    await checkMoney(fleet, users, jobs, clientOf, expect)
    await checkWebhooks(db, users, receiver.arrivals, expect)
    checkTransitions(watched.jobs, orders, expect)
    await watched.loop.stop()
    await checkQueue(fleet, expect)
    await checkProcesses(fleet, expect)
    const calls = countBy(service.calls.map(({ action, outcome }) => `${action} ${outcome}`))
    const ended = countBy([...watched.jobs.values()].map(({ statuses }) => statuses.at(-1) ?? 'none'))
    const report = { seed, faults, calls, jobs: ended, violations, directory }
    writeFileSync(join(directory, 'report.json'), JSON.stringify(report, undefined, 2))
    return report
  } finally {
    await watched.loop.stop()
    await receiver.close()
    await removeFleet(fleet, options.keep || violations.length > 0)
  }
}

/** Creates users with credits and a webhook each. */
async function createUsers({ db, coordinators }: Fleet, count: number, url: string): Promise<User[]> {
  const users: User[] = []
  for (let n = 1; n <= count; n++) {
    const name = `user-${n}`
    const { user_id, key } = await addUser(db, 100_000)
    const body = { name, url }
    const { answer } = await callApi(coordinators[0]?.url ?? '', key, 'POST', '/api/v1/webhooks', { body })
    if (answer.status !== 201) throw new Error(`no webhook could be registered: ${JSON.stringify(answer)}`)
    users.push({ name, user_id, key, secret: NewWebhook.parse(answer.body).secret })
  }
  return users
}

/** Lets the planned faults happen while users work, and ends with everything whole again. Counts the faults by kind. */
async function makeTrouble(
  fleet: Fleet,
  { seed, minutes }: RunOptions,
  users: User[],
  service: Service,
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const plan = planFaults(seed, minutes)
  const stopping = new AbortController()
  const working = users.map((user, number) => useService(service, user, number, stopping.signal))
  const begun = performance.now()
  const hits: string[] = []
  const log = (line: object) =>
    appendFileSync(join(fleet.dir, 'faults.jsonl'), `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
  const happening: Promise<void>[] = []
  for (const fault of plan) {
    await sleep(Math.max(0, fault.at - (performance.now() - begun)))
    log({ begins: fault })
    happening.push(
      applyFault(fleet, fault).then((hit) => {
        hits.push(hit === undefined ? 'could not be had' : fault.kind)
        log({ ends: fault.number, kind: fault.kind, hit: hit ?? 'nothing' })
      }),
    )
    const { orders, calls } = service
    if (fault.number % 25 === 0) {
      say(`${fault.number} of ${plan.length} faults, ${calls.length} calls, ${orders.length} jobs ordered`)
    }
  }
  await sleep(Math.max(0, minutes * 60_000 - (performance.now() - begun)))
  await Promise.all(happening)
  healAll(fleet)
  stopping.abort()
  await Promise.all(working)
  log({ healed: true })
  return countBy(hits)
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
