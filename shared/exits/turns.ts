import {
  type AnswerEffect,
  afterAnswer,
  canaryEnded,
  canarySent,
  type ExitLimits,
  type ExitState,
  type Rest,
  restAt,
  stoppingRest,
  takeTurn,
  under,
} from './rules.ts'

// Turns of an exit: who may send its next request, and when. Pure, like the rules of its pace and rests.

/** What `count` answers in a row did to the exit, the first of them requested at `startedAt`. */
export type Report = AnswerEffect & { readonly startedAt: number; readonly count: number }

/** One user of an exit asks for turns, and says what became of those it used. */
export type Ask = {
  /** How many requests wait; 0 only reports. */
  readonly wanted: number
  readonly reports: readonly Report[]
  /** The canary was answered, or not sent at all. */
  readonly canaryEnded: boolean
}

/** What a user of an exit may do from now on. */
export type Grant = {
  /** When each of its requests may start. */
  readonly turns: readonly number[]
  /** The one turn is the canary: the others wait for its answer. */
  readonly isCanary: boolean
  /** Requests need no turns until the next grant: the exit has no pace and does not rest. */
  readonly isFree: boolean
  readonly rest: Rest | undefined
  readonly isRotating: boolean
  readonly refusedAt: number
  /** When the next turn can start that nobody has. */
  readonly nextAt: number
  /** When to ask for more. */
  readonly askAt: number
}

export type Moment = {
  readonly now: number
  /** Turns are given away this far ahead, so that a rest stops nearly all requests. */
  readonly aheadMs: number
  readonly random: () => number
  readonly isProxy: boolean
}

/** More answers of one kind in a row change nothing that fewer have not changed. */
const MOST_HEARD = 50

/**
 * Hears the reports of all asks, then gives turns away, one to each in their order until all have what they want or the
 * next turn is too far ahead. Grants stand in the order of the asks.
 */
export function answerAsks(
  before: ExitState,
  asks: readonly Ask[],
  limits: ExitLimits,
  moment: Moment,
): { state: ExitState; grants: Grant[] } {
  const { now, aheadMs } = moment
  const known = asks.reduce((state, ask) => after(state, ask, limits, moment), under(before, limits))
  const wanted = asks.map((ask) => ask.wanted)
  const { state, turns, isCanary } = give(known, wanted, moment)
  const rest = restAt(state, now)
  const isFree = state.gapMs === 0 && !stoppingRest(rest) && !state.canaryDue
  // Whoever waits for the canary of another one is told when it was answered.
  const isWaiting = state.canaryUntil > now || stoppingRest(rest) !== undefined
  const view = {
    isFree,
    rest,
    isRotating: state.rotatingUntil > now,
    refusedAt: state.refusedAt,
    nextAt: Math.max(now, state.nextAt),
    askAt: isWaiting ? now + aheadMs : Math.max(now, state.nextAt - aheadMs),
  }
  return { state, grants: turns.map((own) => ({ ...view, turns: own, isCanary: isCanary && own.length > 0 })) }
}

/** Returns the state after what one user of the exit reports. */
function after(before: ExitState, ask: Ask, limits: ExitLimits, { now, random, isProxy }: Moment): ExitState {
  let state = before
  for (const { count, startedAt, ...effect } of ask.reports) {
    for (let nth = 0; nth < Math.min(count, MOST_HEARD); nth++) {
      state = afterAnswer(state, effect, { startedAt, now, random: random(), isProxy }, limits)
    }
  }
  return ask.canaryEnded ? canaryEnded(state) : state
}

type Granted = { state: ExitState; turns: number[][]; isCanary: boolean }

function give(before: ExitState, wanted: readonly number[], { now, aheadMs, random }: Moment): Granted {
  const turns = wanted.map((): number[] => [])
  let state = before
  const none = { state, turns, isCanary: false }
  if (stoppingRest(restAt(state, now)) || (state.gapMs === 0 && !state.canaryDue)) return none
  if (state.canaryDue && state.canaryUntil > now) return none
  for (let progressed = true; progressed; ) {
    progressed = false
    for (const [nth, own] of turns.entries()) {
      if (own.length >= (wanted[nth] ?? 0)) continue
      if (Math.max(now, state.nextAt) > now + aheadMs) return { state, turns, isCanary: false }
      const turn = takeTurn(state, now, random())
      state = turn.state
      own.push(turn.startAt)
      if (state.canaryDue) return { state: canarySent(state, now), turns, isCanary: true }
      progressed = true
    }
  }
  return { state, turns, isCanary: false }
}

/** Returns a grant with its times by another clock. */
export function shifted(grant: Grant, byMs: number): Grant {
  const { turns, rest, refusedAt, nextAt, askAt } = grant
  return {
    ...grant,
    turns: turns.map((at) => at + byMs),
    rest: rest && { ...rest, from: rest.from + byMs, until: rest.until + byMs },
    refusedAt: refusedAt === 0 ? 0 : refusedAt + byMs,
    nextAt: nextAt + byMs,
    askAt: askAt + byMs,
  }
}
