import { afterAnswer, type ExitLimits, newExit, type Rest, restAt, stoppingRest } from '@placefleet/shared/exits/rules'
import { type Grant, MOST_REPORTS } from '@placefleet/shared/exits/turns'
import type { ExitAsk, ExitKeeper, ExitReport } from './keeper.ts'
import { effectOf, VERDICTS, type Verdict } from './verdicts.ts'

/** Thrown when a request is not sent because its exit rests. */
export class ExitRests extends Error {
  override readonly name = 'ExitRests'
  readonly rest: Rest

  constructor(rest: Rest) {
    super(`the exit rests: ${rest.reason}`)
    this.rest = rest
  }
}

/**
 * The limits of an exit, and how many of its requests this agent has under way at once. Without a pace there is no such
 * limit.
 */
export type AgentExitLimits = ExitLimits & { readonly inFlight: number }

/** The verdict on an answer or an error, and what a refusal says. */
export type AnswerVerdict = {
  readonly verdict: Verdict
  readonly retryAfterMs?: number | undefined
}

/** The right to send one request. `isCounted`: it has a turn, and another request must wait for the next. */
export type Turn = { readonly at: number; readonly isCanary: boolean; readonly isCounted: boolean }

/** The turns of one exit that this agent holds, and the requests that wait for one. */
export type Turns = {
  /** Waits for a turn. Throws the abort reason at once, ExitRests when the exit rests before the turn comes. */
  next(signal: AbortSignal): Promise<Turn>
  /**
   * Ends a turn with its verdict, or with nothing when its request was aborted. A rest begins here at once, and is
   * reported to the keeper without waiting for its answer.
   */
  ended(turn: Turn, judged: AnswerVerdict | undefined, startedAt: number): void
  /** Notes what an answer says whose turn has ended. */
  noteAnswer(judged: AnswerVerdict, startedAt: number): void
  view(): Pick<Grant, 'rest' | 'refusedAt'>
  /** When the next request that asks can start. */
  readyAt(): number
}

type TurnsDeps = {
  readonly limits: AgentExitLimits
  readonly keeper: ExitKeeper
  readonly isProxy: boolean
  readonly now: () => number
}

/** A turn that was not used in this time lapses: late requests would follow each other too closely. */
const LAPSES_MS = 4_000
/** How soon good news is reported. While no turns are needed, the exit learns of rests as often. */
const REPORT_MS = 5_000
/** How soon a keeper that did not answer is asked again. */
const AGAIN_MS = 1_000
const MOST_TURNS = 100
/** Two times of one event, by the clocks of two machines. */
const SAME_MS = 1_000
const FREE: Turn = { at: 0, isCanary: false, isCounted: false }

type Waiter = { readonly answer: PromiseWithResolvers<Turn>; readonly leave: () => void }

/** Creates the turns of an exit. It asks the keeper for a few at a time, while requests wait. */
export function createTurns({ limits, keeper, isProxy, now }: TurnsDeps): Turns {
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
  const reports = createReports(keeper)

  const apply = ({ turns, isCanary, ...granted }: Grant) => {
    const isSame = Math.abs(granted.refusedAt - view.refusedAt) < SAME_MS
    view = { ...granted, refusedAt: isSame ? view.refusedAt : granted.refusedAt }
    ownTurns.push(...turns.map((at) => ({ at, isCanary, isCounted: true })))
    pump()
  }
  /** While a refusal is being reported, grants that were decided before it are ignored. */
  const applyUnlessUnanswered = (grant: Grant) => {
    if (unanswered === 0) apply(grant)
  }
  const pump = () => {
    clearTimeout(timer)
    const rest = stoppingRest(restAt(view, now()))
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
      if (turn.isCounted) ownTurns.shift()
      give(turn)
    }
    const [next] = ownTurns
    if (next && waiting.length > 0 && active < limits.inFlight) wakeAt(next.at)
    if (waiting.length > ownTurns.length) askForTurns(next?.at)
  }
  const give = (turn: Turn) => {
    const waiter = waiting.shift()
    waiter?.leave()
    if (turn.isCounted) active++
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
  const restFor = (judged: AnswerVerdict, startedAt: number) => {
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
    reports.add(judged, startedAt, applyUnlessUnanswered)
    if (isUrgent) restFor(judged, startedAt)
    if (rest === 'none' && view.rest?.reason === 'failed') view = { ...view, rest: undefined } // the proxy works
    return isUrgent
  }
  keeper.follow(applyUnlessUnanswered)
  return {
    async next(signal) {
      signal.throwIfAborted()
      const rest = stoppingRest(restAt(view, now()))
      if (rest) throw new ExitRests(rest)
      if (view.isFree) {
        reports.begin(applyUnlessUnanswered)
        return FREE
      }
      const waiter = waiterFor(signal, waiting)
      waiting.push(waiter)
      pump()
      return waiter.answer.promise
    },
    ended(turn, judged, startedAt) {
      if (turn.isCounted) active--
      if (turn.isCanary) reports.canaryEnded()
      const isUrgent = (judged && note(judged, startedAt)) || turn.isCanary
      if (isUrgent) void reportNow()
      else pump()
    },
    noteAnswer(judged, startedAt) {
      if (note(judged, startedAt)) void reportNow()
    },
    view: () => ({ ...view, rest: restAt(view, now()) }),
    readyAt: () => (view.isFree ? 0 : (ownTurns[waiting.length]?.at ?? view.nextAt)),
  }
}

function waiterFor(signal: AbortSignal, waiting: Waiter[]): Waiter {
  const answer = Promise.withResolvers<Turn>()
  const onAbort = () => {
    waiting.splice(waiting.indexOf(waiter), 1)
    answer.reject(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const waiter = { answer, leave: () => signal.removeEventListener('abort', onAbort) }
  return waiter
}

/** What was not reported to the keeper yet. */
function createReports(keeper: ExitKeeper) {
  let reports: ExitReport[] = []
  let canaryEnded = false
  let isBegun = false
  let timer: NodeJS.Timeout | undefined

  const send = async (count: number): Promise<Grant> => {
    clearTimeout(timer)
    timer = undefined
    const ask: ExitAsk = { waiting: count, reports, canaryEnded }
    reports = []
    canaryEnded = false
    try {
      return await keeper.take(ask)
    } catch (error) {
      reports = [...ask.reports, ...reports].slice(-MOST_REPORTS)
      canaryEnded ||= ask.canaryEnded
      throw error
    }
  }
  /** Sends good reports later. When the keeper does not answer, they go with the next ask. */
  const sendIn = (ms: number, apply: (grant: Grant) => void) => {
    timer ??= setTimeout(() => void send(0).then(apply, () => undefined), ms).unref()
  }
  return {
    send,
    canaryEnded() {
      canaryEnded = true
    },
    /** Asks once for the rest of an exit whose requests need no turns. */
    begin(apply: (grant: Grant) => void) {
      if (!isBegun) sendIn(0, apply)
      isBegun = true
    },
    add({ verdict, retryAfterMs }: AnswerVerdict, startedAt: number, apply: (grant: Grant) => void) {
      const last = reports.at(-1)
      if (last?.verdict === verdict && retryAfterMs === undefined)
        reports[reports.length - 1] = { ...last, count: last.count + 1 }
      else {
        const report = { verdict, ...effectOf(verdict), retryAfterMs, startedAt, count: 1 }
        reports = [...reports.slice(1 - MOST_REPORTS), report]
      }
      sendIn(REPORT_MS, apply)
    },
  }
}
