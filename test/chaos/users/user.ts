import { setTimeout as sleep } from 'node:timers/promises'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { type Chance, chance } from '@placefleet/deploy/simulation/map-site/random'
import { isFinal, JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { callApi } from './client.ts'
import type { History, Outcome } from './history.ts'
import { idOf, type Order, type User } from './orders.ts'

export type UserParts = {
  seed: number
  /** The coordinators' addresses: each call goes to either. */
  bases: readonly string[]
  history: History
  orders: Order[]
  /** The proxy from which websites are reached. */
  proxy: string
}

const Shown = z.object({ body: z.object({ status: z.enum(JOB_STATUSES) }) })

const KEYWORDS = ['bakery', 'gym', 'dentist', 'cafe', 'restaurant', 'hotel', 'bar', 'florist', 'lawyer', 'plumber']
const CAPS = [7, 25, 40, 100, 500] as const
const MAX_ACTIVE = 4
const MAX_TIME = { shortest: 30, longest: 120 }
const PAUSE_MS = { shortest: 100, longest: 1_200 }

/** Creates the user's side of the API: calls one of the coordinators and remembers what came of it. */
export function createUserClient({ history, bases }: Pick<UserParts, 'history' | 'bases'>, user: User, dice: Chance) {
  const call = (action: string, order: Order | undefined, method: string, path: string, options = {}) => {
    const via = bases[dice.between(0, bases.length - 1)] ?? ''
    const about = { user: user.name, action, about: order?.request.name ?? '', via }
    return history
      .record(about, () => callApi(via, user.key, method, path, options))
      .then((made) => {
        order?.calls.push(made.call)
        return made
      })
  }
  const ofJob = (order: Order, tail = '') => `/api/v1/jobs/${idOf(order)}${tail}`
  return {
    async create(order: Order): Promise<Outcome> {
      const body = { language: 'en', depth: 6, ...order.request }
      const made = await call('create', order, 'POST', '/api/v1/jobs', { body, idempotencyKey: order.key })
      if (made.outcome === 'ok') {
        order.ids.add(CreatedJob.parse(made.answer.body).id)
        order.created = 'ok'
      }
      return made.outcome
    },
    read: (order: Order) => call('read', order, 'GET', ofJob(order)),
    results: (order: Order, page: number) =>
      call('results', order, 'GET', ofJob(order, `/results?limit=100&page=${page}`)),
    costs: (order: Order) => call('costs', order, 'GET', ofJob(order, '/costs')),
    list: (page: number) => call('list', undefined, 'GET', `/api/v1/jobs?limit=100&page=${page}`),
    history: (page: number) => call('history', undefined, 'GET', `/api/v1/credits/history?limit=100&page=${page}`),
    async cancel(order: Order): Promise<void> {
      const { outcome } = await call('cancel', order, 'POST', ofJob(order, '/cancel'))
      if (order.cancel !== 'ok') order.cancel = known(outcome, order.cancel)
    },
    async remove(order: Order): Promise<void> {
      const { outcome, answer } = await call('delete', order, 'DELETE', ofJob(order))
      // One that may have been deleted and is not found now was.
      const goneBefore = answer.status === 404 && order.delete === 'unknown'
      if (order.delete !== 'ok') order.delete = goneBefore ? 'ok' : known(outcome, order.delete)
    },
  }
}

/** Returns what is known about an effect after one more call. A later failure says nothing about an earlier call. */
function known(outcome: Outcome, before: Order['cancel']): NonNullable<Order['cancel']> {
  if (outcome === 'ok') return 'ok'
  return outcome === 'unknown' || before === 'unknown' ? 'unknown' : 'refused'
}

/**
 * Uses the service as its customers do, until the signal: creates, looks, cancels, deletes, tries again what failed.
 */
export async function useService(parts: UserParts, user: User, number: number, signal: AbortSignal): Promise<void> {
  const dice = chance(parts.seed, 0x05e2, number)
  const client = createUserClient(parts, user, dice)
  const mine = () => parts.orders.filter((order) => order.user === user)
  for (let turn = 1; !signal.aborted; turn++) {
    const open = mine().filter((order) => order.created === 'open')
    const there = mine().filter((order) => order.created === 'ok' && order.delete !== 'ok')
    const active = there.filter((order) => !isOver(order))
    const [again, some] = [open[0], there[dice.between(0, Math.max(0, there.length - 1))]]
    const chosen = dice.next()
    if (again) await client.create(again)
    else if (!some || (chosen < 0.35 && active.length < MAX_ACTIVE)) {
      const order = newOrder(dice, user, turn, parts.proxy)
      parts.orders.push(order)
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
    created: 'open',
    ids: new Set(),
    calls: [],
  }
}

/** Returns whether the user has seen the job's end. */
function isOver(order: Order): boolean {
  const seen = order.calls.findLast(({ action, outcome }) => action === 'read' && outcome === 'ok')
  const shown = Shown.safeParse(seen?.answer)
  return shown.success && isFinal(shown.data.body.status)
}
