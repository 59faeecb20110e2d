import { afterAnswer, type ExitLimits, newExit, type Rest, restAt, stoppingRest } from '@placefleet/shared/exits/rules'
import type { Grant } from '@placefleet/shared/exits/turns'
import type { ExitKeeper } from './keeper.ts'
import { createReports } from './reports.ts'
import { type AnswerVerdict, effectOf, VERDICTS } from './verdicts.ts'

/** Thrown when a request is not sent because its exit rests. */
export class ExitRests extends Error {
  override readonly name = 'ExitRests'
  readonly rest: Rest

  constructor(rest: Rest) {
    super(`the exit rests: ${rest.reason}`)
    this.rest = rest
  }
}

/** The limits of an exit, and how many of its requests this agent has under way at once (none without a pace). */
export type AgentExitLimits = ExitLimits & { readonly inFlight: number }

type Turn = { readonly at: number; readonly isCanary: boolean }

type TurnsDeps = {
  readonly limits: AgentExitLimits
  readonly keeper: ExitKeeper
  readonly isProxy: boolean
  readonly now: () => number
}

/** A turn that was not used in this time lapses: late requests would follow each other too closely. */
const LAPSES_MS = 4_000
/** How soon a keeper that did not answer is asked again. */
const AGAIN_MS = 1_000
const MOST_TURNS = 100
/** Two times of one event, by the clocks of two machines. */
const SAME_MS = 1_000
/** The turn of a request that needs none. */
const FREE: Turn = { at: 0, isCanary: false }

type Waiter = { readonly answer: PromiseWithResolvers<Turn>; readonly leave: () => void }

/**
 * Creates the turns of an exit that this agent holds, and the queue of requests that wait for one. It asks the keeper
 * for a few at a time, while requests wait.
 */
export function createTurns({ limits, keeper, isProxy, now }: TurnsDeps) {
  let view: Omit<Grant, 'turns' | 'isCanary'> = {
    isFree: limits.pace === undefined,
    rest: undefined,
    refusedAt: 0,
    nextAt: 0,
    askAt: 0,
  }
  let ownTurns: Turn[] = []
  const waiting: Waiter[] = []
  let active = 0
  let isAsking = false
  /** Reports of refusals that the keeper has not answered yet. */
  let unanswered = 0
  let timer: NodeJS.Timeout | undefined

  const apply = ({ turns, isCanary, ...granted }: Grant) => {
    const isSame = Math.abs(granted.refusedAt - view.refusedAt) < SAME_MS
    view = { ...granted, refusedAt: isSame ? view.refusedAt : granted.refusedAt }
    ownTurns.push(...turns.map((at) => ({ at, isCanary })))
    pump()
  }
  /** While a refusal is being reported, grants that were decided before it are ignored. */
  const applyUnlessUnanswered = (grant: Grant) => {
    if (unanswered === 0) apply(grant)
  }
  const reports = createReports(keeper, applyUnlessUnanswered)
  const currentRest = () => stoppingRest(restAt(view, now()))

  const pump = () => {
    clearTimeout(timer)
    const rest = currentRest()
    if (rest) {
      ownTurns = []
      for (const { leave, answer } of waiting.splice(0)) {
        leave()
        answer.reject(new ExitRests(rest))
      }
      return
    }
    ownTurns = ownTurns.filter(({ at }) => at + LAPSES_MS > now())
    while (waiting.length > 0) {
      const turn = view.isFree ? FREE : active < limits.inFlight ? ownTurns[0] : undefined
      if (!turn || turn.at > now()) break
      give(turn)
    }
    const [next] = ownTurns
    if (next && waiting.length > 0 && active < limits.inFlight) wakeAt(next.at)
    if (waiting.length > ownTurns.length) askForTurns(next?.at)
  }
  const give = (turn: Turn) => {
    if (turn !== FREE) {
      ownTurns.shift()
      active++
    }
    const waiter = waiting.shift()
    waiter?.leave()
    waiter?.answer.resolve(turn)
  }
  const wakeAt = (at: number) => {
    clearTimeout(timer)
    timer = setTimeout(pump, Math.max(0, at - now()))
  }
  const askForTurns = (nextTurnAt = Number.POSITIVE_INFINITY) => {
    if (isAsking) return
    if (view.askAt > now()) return wakeAt(Math.min(view.askAt, nextTurnAt))
    isAsking = true
    const count = Math.min(MOST_TURNS, waiting.length - ownTurns.length)
    const grant = reports.send(count).then(applyUnlessUnanswered, () => {
      view = { ...view, askAt: now() + AGAIN_MS }
    })
    void grant.finally(() => {
      isAsking = false
      pump()
    })
  }
  const reportNow = async () => {
    unanswered++
    try {
      apply(await reports.send(0))
    } catch {
      // The coordinator did not answer. The report goes with the next request, and until then the local rest holds.
    } finally {
      unanswered--
      pump()
    }
  }
  /** Rests at once, until the keeper says for how long. */
  const restLocally = (judged: AnswerVerdict, startedAt: number) => {
    if (view.rest && startedAt < view.rest.from) return
    const at = { startedAt, now: now(), random: 1, isProxy }
    const { rest, refusedAt } = afterAnswer(newExit(limits), { ...judged, ...effectOf(judged.verdict) }, at, limits)
    if (!rest) return
    view = { ...view, rest, refusedAt: refusedAt || view.refusedAt, isFree: view.isFree && !stoppingRest(rest) }
  }
  /** Returns whether the keeper must know it at once. */
  const note = (judged: AnswerVerdict, startedAt: number): boolean => {
    const { rest } = VERDICTS[judged.verdict]
    const isUrgent = rest !== 'none' && (rest !== 'failed' || isProxy)
    reports.add(judged, startedAt)
    if (isUrgent) restLocally(judged, startedAt)
    if (rest === 'none' && view.rest?.reason === 'failed') view = { ...view, rest: undefined } // the proxy works
    return isUrgent
  }
  keeper.follow(applyUnlessUnanswered)
  return {
    /** Waits for a turn. Throws the abort reason at once, ExitRests when the exit rests before the turn comes. */
    async next(signal: AbortSignal): Promise<Turn> {
      signal.throwIfAborted()
      const rest = currentRest()
      if (rest) throw new ExitRests(rest)
      if (view.isFree) {
        reports.begin()
        return FREE
      }
      const waiter = waiterFor(signal, waiting)
      waiting.push(waiter)
      pump()
      return waiter.answer.promise
    },
    /**
     * Ends a turn with its verdict, or with nothing when its request was aborted. A rest begins here at once, and is
     * reported to the keeper without waiting for its answer.
     */
    ended(turn: Turn, judged: AnswerVerdict | undefined, startedAt: number): void {
      if (turn !== FREE) active--
      if (turn.isCanary) reports.canaryEnded()
      const isUrgent = (judged && note(judged, startedAt)) || turn.isCanary
      if (isUrgent) void reportNow()
      else pump()
    },
    /** Notes what an answer says whose turn has ended. */
    noteAnswer(judged: AnswerVerdict, startedAt: number): void {
      if (note(judged, startedAt)) void reportNow()
    },
    rest: (): Rest | undefined => restAt(view, now()),
    refusedAt: (): number => view.refusedAt,
    /** When the next request that asks can start. */
    readyAt: (): number => (view.isFree ? 0 : (ownTurns[waiting.length]?.at ?? view.nextAt)),
  }
}

function waiterFor(signal: AbortSignal, waiting: Waiter[]): Waiter {
  const answer = Promise.withResolvers<Turn>()
  const onAbort = () => {
    waiting.splice(waiting.indexOf(waiter), 1)
    answer.reject(signal.reason)
  }
  const waiter = { answer, leave: () => signal.removeEventListener('abort', onAbort) }
  signal.addEventListener('abort', onAbort, { once: true })
  return waiter
}
