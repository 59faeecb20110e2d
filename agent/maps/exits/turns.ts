import { afterAnswer, type ExitLimits, newExit, type Rest, restAt, stoppingRest } from '@placefleet/shared/exits/rules'
import { type Grant, MOST_REPORTS } from '@placefleet/shared/exits/turns'
import { VERDICTS, type Verdict } from '../answers/verdicts.ts'
import type { ExitAsk, ExitKeeper, ExitReport } from './keeper.ts'

/** Thrown when a request is not sent because its exit rests. */
export class ExitRests extends Error {
  override readonly name = 'ExitRests'
  readonly rest: Rest

  constructor(rest: Rest) {
    super(`the exit rests: ${rest.reason}`)
    this.rest = rest
  }
}

/** The limits of an exit, and how many of its requests this agent has under way at once. Without a pace there is no such limit. */
export type AgentExitLimits = ExitLimits & { readonly inFlight: number }

/** The verdict on an answer or an error, and what a refusal says. `address` is that of the exit, as the site saw it. */
export type AnswerVerdict = {
  readonly verdict: Verdict
  readonly retryAfterMs?: number | undefined
  readonly address?: string | undefined
}

/** The right to send one request. `isCounted`: it has a turn, and another request must wait for the next. */
export type Turn = { readonly at: number; readonly isCanary: boolean; readonly isCounted: boolean }

/** The turns of one exit that this agent holds, and the requests that wait for one. */
export type Turns = {
  /** Waits for a turn. Throws the abort reason at once, ExitRests when the exit rests before the turn comes. */
  next(signal: AbortSignal): Promise<Turn>
  /**
   * Ends a turn with its verdict, or with nothing when its request was aborted. Resolves at once, unless it begins or
   * ends a rest: then when the keeper knows it.
   */
  ended(turn: Turn, judged: AnswerVerdict | undefined, startedAt: number): Promise<void>
  /** Notes what an answer says whose turn has ended. */
  noteAnswer(judged: AnswerVerdict, startedAt: number): void
  view(): Pick<Grant, 'rest' | 'isRotating' | 'refusedAt'>
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
const MOST_WANTED = 100
/** Two times of one event, by the clocks of two machines. */
const SAME_MS = 1_000
const FREE: Turn = { at: 0, isCanary: false, isCounted: false }

type Waiter = { readonly answer: PromiseWithResolvers<Turn>; readonly leave: () => void }

/** Creates the turns of an exit. It asks the keeper for a few at a time, while requests wait. */
export function createTurns({ limits, keeper, isProxy, now }: TurnsDeps): Turns {
  let view: Omit<Grant, 'turns' | 'isCanary'> = {
    isFree: limits.pace === undefined,
    rest: undefined,
    isRotating: false,
    refusedAt: 0,
    nextAt: 0,
    askAt: 0,
  }
  let held: Turn[] = []
  const waiting: Waiter[] = []
  let active = 0
  let [isAsking, urgent] = [false, 0]
  let timer: NodeJS.Timeout | undefined
  const news = createNews(keeper)

  const learn = ({ turns, isCanary, ...told }: Grant) => {
    const isSame = Math.abs(told.refusedAt - view.refusedAt) < SAME_MS
    view = { ...told, refusedAt: isSame ? view.refusedAt : told.refusedAt }
    held.push(...turns.map((at) => ({ at, isCanary, isCounted: true })))
    pump()
  }
  /** A refusal that was not told yet counts more than what the keeper said before it. */
  const learnUnlessUrgent = (grant: Grant) => {
    if (urgent === 0) learn(grant)
  }
  const pump = () => {
    clearTimeout(timer)
    const rest = stoppingRest(restAt(view, now()))
    if (rest) {
      held = []
      for (const { leave, answer } of waiting.splice(0)) {
        leave()
        answer.reject(new ExitRests(rest))
      }
      return
    }
    held = held.filter(({ at }) => at + LAPSES_MS > now())
    while (waiting.length > 0) {
      const turn = view.isFree ? FREE : active < limits.inFlight ? held[0] : undefined
      if (!turn || turn.at > now()) break
      if (turn.isCounted) held.shift()
      give(turn)
    }
    const [next] = held
    if (next && waiting.length > 0 && active < limits.inFlight) wakeAt(next.at)
    if (waiting.length > held.length) askForTurns(next?.at)
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
    const wanted = Math.min(MOST_WANTED, waiting.length - held.length)
    const granted = news.tell(wanted).then(learnUnlessUrgent, () => {
      view = { ...view, askAt: now() + AGAIN_MS }
    })
    void granted.finally(() => {
      isAsking = false
      pump()
    })
  }
  const reportNow = async () => {
    urgent++
    try {
      learn(await news.tell(0))
    } catch {
      // The keeper does not answer. It is told with the next ask, and until then the exit rests as long as it should.
    } finally {
      urgent--
      pump()
    }
  }
  /** Rests at once, until the keeper says for how long. */
  const restFor = (judged: AnswerVerdict, startedAt: number) => {
    if (view.rest && startedAt < view.rest.from) return
    const at = { startedAt, now: now(), random: 1, isProxy }
    const { rest, refusedAt } = afterAnswer(newExit(limits), { ...judged, ...VERDICTS[judged.verdict] }, at, limits)
    if (!rest) return
    view = { ...view, rest, refusedAt: refusedAt || view.refusedAt, isFree: view.isFree && !stoppingRest(rest) }
  }
  /** Returns whether the keeper must know it at once. */
  const note = (judged: AnswerVerdict, startedAt: number): boolean => {
    const { rest } = VERDICTS[judged.verdict]
    const isUrgent = rest !== 'none' && (rest !== 'failed' || isProxy)
    news.add(judged, startedAt, learnUnlessUrgent)
    if (isUrgent) restFor(judged, startedAt)
    if (rest === 'none' && view.rest?.reason === 'failed') view = { ...view, rest: undefined } // the proxy works
    return isUrgent
  }
  keeper.follow(learnUnlessUrgent)
  return {
    async next(signal) {
      signal.throwIfAborted()
      const rest = stoppingRest(restAt(view, now()))
      if (rest) throw new ExitRests(rest)
      if (view.isFree) {
        news.begin(learnUnlessUrgent)
        return FREE
      }
      const waiter = waiterFor(signal, waiting)
      waiting.push(waiter)
      pump()
      return waiter.answer.promise
    },
    async ended(turn, judged, startedAt) {
      if (turn.isCounted) active--
      if (turn.isCanary) news.canaryEnded()
      const isUrgent = (judged && note(judged, startedAt)) || turn.isCanary
      if (isUrgent) await reportNow()
      else pump()
    },
    noteAnswer(judged, startedAt) {
      if (note(judged, startedAt)) void reportNow()
    },
    view: () => ({ ...view, rest: restAt(view, now()) }),
    readyAt: () => (view.isFree ? 0 : (held[waiting.length]?.at ?? view.nextAt + waiting.length)),
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

/** What the keeper was not told yet. */
function createNews(keeper: ExitKeeper) {
  let reports: ExitReport[] = []
  let [canaryEnded, isBegun] = [false, false]
  let timer: NodeJS.Timeout | undefined

  const tell = async (wanted: number): Promise<Grant> => {
    clearTimeout(timer)
    timer = undefined
    const ask: ExitAsk = { wanted, reports, canaryEnded }
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
  /** Tells good news later. When the keeper does not answer, the next ask tells them. */
  const tellIn = (ms: number, learn: (grant: Grant) => void) => {
    timer ??= setTimeout(() => void tell(0).then(learn, () => undefined), ms).unref()
  }
  return {
    tell,
    canaryEnded() {
      canaryEnded = true
    },
    /** Asks once for the rest of an exit whose requests need no turns. */
    begin(learn: (grant: Grant) => void) {
      if (!isBegun) tellIn(0, learn)
      isBegun = true
    },
    add({ verdict, retryAfterMs, address }: AnswerVerdict, startedAt: number, learn: (grant: Grant) => void) {
      const last = reports.at(-1)
      const isPlain = retryAfterMs === undefined && address === undefined
      if (last?.verdict === verdict && isPlain) reports[reports.length - 1] = { ...last, count: last.count + 1 }
      else {
        const { pace, rest } = VERDICTS[verdict]
        reports = [
          ...reports.slice(1 - MOST_REPORTS),
          { verdict, pace, rest, retryAfterMs, address, startedAt, count: 1 },
        ]
      }
      tellIn(REPORT_MS, learn)
    },
  }
}
