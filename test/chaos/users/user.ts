import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { type Chance, chance } from '@placefleet/deploy/simulation/map-site/random'
import { isFinal, JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { type Answer, callApi, type Outcome } from './client.ts'

/** A user with their own key. */
export type User = { name: string; user_id: string; key: string; secret: string }

/** One call of a user: when it began and ended (milliseconds of the run), and what was answered. */
type Call = { number: number; action: string; begun: number; ended: number; outcome: Outcome; answer: Answer }

/** What is known about an effect that a user asked for. */
type Known = 'ok' | 'refused' | 'unknown'

/** A job that a user requested with one Idempotency-Key, and its known state. */
export type Order = {
  user: User
  key: string
  /** The body of the request; its name is unique. */
  request: {
    name: string
    keywords: string[]
    max_results: number
    max_time: number
    fast_mode: boolean
    include_emails: boolean
    proxies: string[]
  }
  created: boolean
  /** Every id that was answered; more than one would be two jobs for one key. */
  ids: Set<string>
  cancel?: Known
  delete?: Known
  calls: Call[]
}

/** What all users share. */
export type Service = {
  seed: number
  /** The coordinators' addresses: each call goes to either. */
  bases: readonly string[]
  orders: Order[]
  /** All calls in the order in which they ended. They are also written to a file of JSON lines, begins included. */
  calls: Call[]
  historyFile: string
  /** The proxy from which websites are reached. */
  proxy: string
}

const KEYWORDS = ['bakery', 'gym', 'dentist', 'cafe', 'restaurant', 'hotel', 'bar', 'florist', 'lawyer', 'plumber']
const CAPS = [7, 25, 40, 100, 500] as const
const MAX_ACTIVE = 4
const MAX_TIME = { shortest: 30, longest: 120 }
const PAUSE_MS = { shortest: 100, longest: 1_200 }

let lastCall = 0

/** Returns the id of the job of an order that was created. */
export const idOf = (order: Order): string => [...order.ids][0] ?? ''

export type Client = ReturnType<typeof createUserClient>

/** Creates the user's side of the API: calls one of the coordinators and remembers what came of it. */
export function createUserClient({ calls, bases, historyFile }: Service, user: User, dice: Chance) {
  const call = async (action: string, order: Order | undefined, method: string, path: string, options = {}) => {
    const via = bases[dice.between(0, bases.length - 1)] ?? ''
    const number = ++lastCall
    const write = (line: object) => {
      const about = { number, user: user.name, action, about: order?.request.name, via }
      appendFileSync(historyFile, `${JSON.stringify({ at: new Date().toISOString(), ...about, ...line })}\n`)
    }
    write({})
    const begun = performance.now()
    const made = await callApi(via, user.key, method, path, options)
    const record = { number, action, begun, ended: performance.now(), ...made }
    write(made)
    calls.push(record)
    order?.calls.push(record)
    return made
  }
  const ofJob = (order: Order, tail = '') => `/api/v1/jobs/${idOf(order)}${tail}`
  return {
    async create(order: Order): Promise<void> {
      const body = { language: 'en', depth: 6, ...order.request }
      const made = await call('create', order, 'POST', '/api/v1/jobs', { body, idempotencyKey: order.key })
      if (made.outcome !== 'ok') return
      order.ids.add(CreatedJob.parse(made.answer.body).id)
      order.created = true
    },
    read: (order: Order) => call('read', order, 'GET', ofJob(order)),
    results: (order: Order, page: number) =>
      call('results', order, 'GET', ofJob(order, `/results?limit=100&page=${page}`)),
    costs: (order: Order) => call('costs', order, 'GET', ofJob(order, '/costs')),
    list: (page: number) => call('list', undefined, 'GET', `/api/v1/jobs?limit=100&page=${page}`),
    history: (page: number) => call('history', undefined, 'GET', `/api/v1/credits/history?limit=100&page=${page}`),
    async cancel(order: Order): Promise<void> {
      const { outcome } = await call('cancel', order, 'POST', ofJob(order, '/cancel'))
      order.cancel = known(outcome, order.cancel)
    },
    async remove(order: Order): Promise<void> {
      const { outcome, answer } = await call('delete', order, 'DELETE', ofJob(order))
      // One that may have been deleted and is not found now was.
      const goneBefore = answer.status === 404 && order.delete === 'unknown'
      order.delete = goneBefore ? 'ok' : known(outcome, order.delete)
    },
  }
}

/** Returns what is known about an effect after one more call. A later failure says nothing about an earlier call. */
function known(outcome: Outcome, before: Known | undefined): Known {
  if (outcome === 'ok' || before === 'ok') return 'ok'
  return outcome === 'unknown' || before === 'unknown' ? 'unknown' : 'refused'
}

/**
 * Uses the service as its customers do, until the signal: creates, looks, cancels, deletes, tries again what failed.
 */
export async function useService(service: Service, user: User, number: number, signal: AbortSignal): Promise<void> {
  const dice = chance(service.seed, 0x05e2, number)
  const client = createUserClient(service, user, dice)
  for (let turn = 1; !signal.aborted; turn++) {
    const mine = service.orders.filter((order) => order.user === user)
    const again = mine.find(({ created }) => !created)
    const there = mine.filter((order) => order.created && order.delete !== 'ok')
    const active = there.filter((order) => !isOver(order))
    const some = there[dice.between(0, Math.max(0, there.length - 1))]
    const chosen = dice.next()
    if (again) await client.create(again)
    else if (!some || (chosen < 0.35 && active.length < MAX_ACTIVE)) {
      const order = newOrder(dice, user, turn, service.proxy)
      service.orders.push(order)
      await client.create(order)
    } else if (chosen < 0.7) await client.read(active[dice.between(0, Math.max(0, active.length - 1))] ?? some)
    else if (chosen < 0.9) await client.results(some, dice.between(1, 2))
    else if (chosen < 0.95) await client.cancel(active[0] ?? some)
    else await client.remove(some)
    await sleep(dice.between(PAUSE_MS.shortest, PAUSE_MS.longest), undefined, { signal }).catch(() => undefined)
  }
}

function newOrder(dice: Chance, user: User, turn: number, proxy: string): Order {
  const [first, second] = [KEYWORDS[dice.between(0, 9)] ?? 'bakery', KEYWORDS[dice.between(0, 9)] ?? 'gym']
  return {
    user,
    key: `${user.name}-${turn}-${dice.token(8)}`,
    request: {
      name: `${user.name}-${turn}`,
      keywords: dice.happens(0.3) && first !== second ? [first, second] : [first],
      max_results: CAPS[dice.between(0, CAPS.length - 1)] ?? 40,
      max_time: dice.between(MAX_TIME.shortest, MAX_TIME.longest),
      fast_mode: dice.happens(0.3),
      ...(dice.happens(0.3) ? { include_emails: true, proxies: [proxy] } : { include_emails: false, proxies: [] }),
    },
    created: false,
    ids: new Set(),
    calls: [],
  }
}

const Shown = z.object({ body: z.object({ status: z.enum(JOB_STATUSES), result_count: z.number() }) })

/** Returns what reads of an order showed, oldest first. */
export const readsOf = (order: Order) =>
  order.calls
    .filter(({ action, outcome }) => action === 'read' && outcome === 'ok')
    .map(({ number, begun, ended, answer }) => ({ number, begun, ended, ...Shown.parse(answer).body }))

/** Returns whether the user has seen the job's end. */
const isOver = (order: Order): boolean => {
  const last = readsOf(order).at(-1)
  return last !== undefined && isFinal(last.status)
}
