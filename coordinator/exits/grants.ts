import { type ExitState, restAt, stoppingRest } from '@placefleet/shared/exits/rules'
import { type Grant, shifted, viewOf } from '@placefleet/shared/exits/turns'
import type { Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import { LRUCache } from 'lru-cache'
import { type AgentAsk, decide, hasOtherRest } from './decide.ts'
import type { ExitDocument, ExitId } from './documents.ts'
import type { ExitStore } from './store.ts'

/** Gives the turns of exits to the agents of this coordinator. Times of asks and grants are those of `monotonicNow`. */
export type ExitGrants = {
  /**
   * Answers an ask, together with those of other agents. What ends or begins a rest is decided at once.
   * @throws the error of the database.
   */
  take(exit: ExitId, ask: AgentAsk): Promise<Grant>
  /** Calls the listener with a grant without turns when the rest of an exit changes. Returns the function that ends this. */
  follow(exit_id: string, listener: (grant: Grant) => void): () => void
  /**
   * Tells the listeners of resting exits of what has changed in the database: an operator woke one, or another
   * coordinator heard that it rests longer or no more. Reads nothing while none of them rests.
   */
  readRests(): Promise<void>
}

type GrantsDeps = {
  readonly store: Pick<ExitStore, 'read' | 'write'>
  readonly log: Logger
  /** How long asks are gathered. Turns are given away for twice this time. */
  readonly gatherMs: number
  readonly random?: () => number
}

/** How long asks are gathered when one of them says that the exit was refused, or that its canary was answered. */
const URGENT_MS = 50

type Waiting = { readonly ask: AgentAsk; readonly answer: PromiseWithResolvers<Grant> }
type Batch = Map<string, { readonly exit: ExitId; readonly waiting: Waiting[] }>

/**
 * Creates the grants of a coordinator. It decides for all exits at once, with one command that reads and one that writes,
 * at most once in `gatherMs`. Other coordinators do the same: a decision counts only if its exit has not changed since it
 * was read, else it is made again.
 */
export function createExitGrants({ store, log, gatherMs, random = Math.random }: GrantsDeps): ExitGrants {
  const logRest = createRestLog(log)
  const followers = new Map<string, Set<(grant: Grant) => void>>()
  const resting = new Map<string, ExitState>() // those of followed exits, as last told
  let batch: Batch = new Map()
  let timer: { at: number; handle: NodeJS.Timeout } | undefined
  let decidedAt = Number.NEGATIVE_INFINITY
  let running = false

  const add = (exit: ExitId, waiting: Waiting) => {
    const entry = batch.get(exit.id) ?? { exit, waiting: [] }
    batch.set(exit.id, entry)
    entry.waiting.push(waiting)
  }
  const schedule = () => {
    if (running || batch.size === 0) return
    const isUrgent = [...batch.values()].some((entry) => entry.waiting.some(({ ask }) => isUrgentAsk(ask)))
    const at = Math.max(monotonicNow(), decidedAt + (isUrgent ? URGENT_MS : gatherMs))
    if (timer && timer.at <= at) return
    clearTimeout(timer?.handle)
    timer = { at, handle: setTimeout(() => void decideAll(), Math.max(0, at - monotonicNow())) }
  }
  const decideAll = async () => {
    const taken = batch
    batch = new Map()
    timer = undefined
    running = true
    try {
      const undecided = await decideBatch({ store, logRest, aheadMs: 2 * gatherMs, random, replyTo, remember }, taken)
      for (const { exit, waiting } of undecided) for (const each of waiting) add(exit, each)
    } catch (error) {
      for (const { waiting } of taken.values()) for (const { answer } of waiting) answer.reject(error)
    } finally {
      running = false
      decidedAt = monotonicNow()
      schedule()
    }
  }
  const remember = (exit_id: string, state: ExitState, now: number) => {
    const rests = followers.has(exit_id) && stoppingRest(restAt(state, now)) !== undefined
    if (rests) resting.set(exit_id, state)
    else resting.delete(exit_id)
  }
  const replyTo = (exit_id: string, grant: Grant) => {
    for (const listener of followers.get(exit_id) ?? []) listener(grant)
  }
  return {
    take(exit, ask) {
      const answer = Promise.withResolvers<Grant>()
      add(exit, { ask, answer })
      schedule()
      return answer.promise
    },
    follow(exit_id, listener) {
      const listeners = followers.get(exit_id) ?? new Set()
      followers.set(exit_id, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || followers.get(exit_id) !== listeners) return
        followers.delete(exit_id)
        resting.delete(exit_id)
      }
    },
    async readRests() {
      if (resting.size === 0) return
      const before = new Map(resting)
      const { now, exits } = await store.read([...before.keys()])
      const ahead = now.getTime() - monotonicNow()
      for (const [exit_id, last] of before) {
        const { state } = exits.get(exit_id) ?? {}
        if (!state || resting.get(exit_id) !== last) continue // decided meanwhile, so its agents know
        remember(exit_id, state, now.getTime())
        const moment = { now: now.getTime(), aheadMs: 2 * gatherMs }
        if (hasOtherRest(last, state)) replyTo(exit_id, shifted(viewOf(state, moment), -ahead))
      }
    },
  }
}

const isUrgentAsk = ({ canaryEnded, reports }: AgentAsk): boolean =>
  canaryEnded || reports.some(({ rest }) => rest !== 'none')

type Deciding = Pick<GrantsDeps, 'store'> & {
  readonly aheadMs: number
  readonly random: () => number
  readonly logRest: LogRest
  readonly replyTo: (exit_id: string, grant: Grant) => void
  readonly remember: (exit_id: string, state: ExitState, now: number) => void
}

/** Decides a batch. Returns what another coordinator decided meanwhile, to be decided again. */
async function decideBatch({ store, logRest, aheadMs, random, replyTo, remember }: Deciding, batch: Batch) {
  const { now, exits } = await store.read([...batch.keys()])
  const ahead = now.getTime() - monotonicNow() // of the database's clock, to ours
  const decided = [...batch.values()].flatMap(({ exit, waiting }) => {
    const [first, ...others] = waiting.map(({ ask }) => byDatabase(ask, ahead))
    const before = exits.get(exit.id)
    if (!first) return []
    return [{ exit, waiting, before, decision: decide(exit, before, [first, ...others], { now, aheadMs, random }) }]
  })
  const isOther = ({ before, decision }: (typeof decided)[number]) => hasOtherRest(before?.state, decision.next.state)
  const changes = decided.map(({ before, decision }) => ({ next: decision.next, replaces: before?.revision }))
  const written = await store.write(changes, decided.some(isOther))
  for (const each of decided.filter(({ exit }) => written.has(exit.id))) {
    const grants = each.decision.grants.map((grant) => shifted(grant, -ahead))
    for (const [nth, grant] of grants.entries()) each.waiting[nth]?.answer.resolve(grant)
    remember(each.exit.id, each.decision.next.state, now.getTime())
    if (!isOther(each)) continue
    logRest(each.decision.next, now)
    const [grant] = grants
    if (grant) replyTo(each.exit.id, { ...grant, turns: [], isCanary: false })
  }
  return decided.filter(({ exit }) => !written.has(exit.id))
}

function byDatabase(ask: AgentAsk, ahead: number): AgentAsk {
  return { ...ask, reports: ask.reports.map((report) => ({ ...report, startedAt: report.startedAt + ahead })) }
}

/** Logs for operators that the rest of an exit began, changed or ended. */
type LogRest = (after: ExitDocument, now: Date) => void

/** Agents decide how often an exit rests, so each line of an exit comes once a minute at most. */
const LINE_MS = 60_000
const MOST_EXITS = 10_000

function createRestLog(log: Logger): LogRest {
  const logged = new LRUCache<string, true>({ max: MOST_EXITS, ttl: LINE_MS })
  const isNew = (line: string) => {
    if (logged.has(line)) return false
    logged.set(line, true)
    return true
  }
  return (after, now) => {
    const { rest } = after.state
    const about = { ...named(after), verdict: after.last_verdict }
    if (rest === undefined || rest.until <= now.getTime()) {
      if (isNew(`awake ${after._id}`)) log.info(about, 'an address or proxy pauses no more: the site answers it')
    } else if (isNew(`rest ${after._id}`)) {
      const until = new Date(rest.until).toISOString()
      log.warn({ ...about, reason: rest.reason, until }, 'an address or proxy pauses: it sends nothing until then')
    }
  }
}

const named = ({ _id: exit, kind, name }: ExitDocument) => ({ exit, kind, ...(name !== undefined && { name }) })
