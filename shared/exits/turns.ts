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
  readonly waiting: number
  readonly reports: readonly Report[]
  /** The canary was answered, or not sent at all. */
  readonly canaryEnded: boolean
  /** Whether it had a turn of the exit lately. Who had none cannot have been refused. */
  readonly hadTurns: boolean
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

/**
 * The most reports of an ask, and the most answers in them that count. More in a row change nothing that fewer have
 * not.
 */
export const MOST_REPORTS = 50

/** The longest rest that the word of somebody without turns brings. */
const WITHOUT_TURNS_MS = 3_600_000

/**
 * Hears the reports of all asks, then gives turns away, one to each in their order until all have what they want or the
 * next turn is too far ahead. Grants stand in the order of the asks. `restedBy`: the ask that brought the rest, if one
 * did.
 */
export function answerAsks(before: ExitState, asks: readonly Ask[], limits: ExitLimits, moment: Moment): AskAnswers {
  let reported = under(before, limits)
  let restedBy: number | undefined
  for (const [nth, ask] of asks.entries()) {
    const next = after(reported, ask, limits, moment)
    if (next.rest !== undefined && next.rest !== reported.rest) restedBy = nth
    reported = next
  }
  const waiting = asks.map((ask) => ask.waiting)
  const { state, turns, isCanary } = give(reported, waiting, moment)
  const view = viewOf(state, moment)
  const grants = turns.map((own) => ({ ...view, turns: own, isCanary: isCanary && own.length > 0 }))
  return { state, grants, ...(restedBy !== undefined && { restedBy }) }
}

/** Returns the grant of nobody: what an exit may do from now on, without turns. */
export function viewOf(state: ExitState, { now, aheadMs }: Pick<Moment, 'now' | 'aheadMs'>): Grant {
  const rest = restAt(state, now)
  const isFree = state.gapMs === 0 && !stoppingRest(rest) && !state.canaryDue
  // An agent that waits for the canary of another agent hears when it was answered.
  const isWaiting = state.canaryUntil > now || stoppingRest(rest) !== undefined
  return {
    turns: [],
    isCanary: false,
    isFree,
    rest,
    refusedAt: state.refusedAt,
    nextAt: Math.max(now, state.nextAt),
    askAt: isWaiting ? now + aheadMs : Math.max(now, state.nextAt - aheadMs),
  }
}

type AskAnswers = { state: ExitState; grants: Grant[]; restedBy?: number }

/** Returns the state after what one user of the exit reports. Every report counts at least once. */
function after(before: ExitState, ask: Ask, limits: ExitLimits, { now, random, isProxy }: Moment): ExitState {
  let state = before
  const reports = ask.reports.slice(-MOST_REPORTS)
  let spare = MOST_REPORTS - reports.length
  for (const { count, startedAt, ...effect } of reports) {
    const repeats = Math.min(count - 1, spare)
    spare -= repeats
    for (let nth = 0; nth <= repeats; nth++) {
      state = afterAnswer(state, effect, { startedAt, now, random: random(), isProxy }, limits)
    }
  }
  const believed = ask.hadTurns ? state : doubted(before, state, now)
  return ask.canaryEnded ? canaryEnded(believed) : believed
}

/**
 * Returns the state after refusals of somebody who had no turns. They bring an hour at most, shorten no rest, and add
 * nothing to the score.
 */
function doubted(before: ExitState, after: ExitState, now: number): ExitState {
  const { rest } = after
  if (rest === undefined || rest === before.rest) return after
  const until = Math.max(before.rest?.until ?? 0, Math.min(rest.until, now + WITHOUT_TURNS_MS))
  const refusals = Math.min(before.refusals, after.refusals)
  return { ...after, refusals, rest: { ...rest, until } }
}

type TurnsOfAsks = { state: ExitState; turns: number[][]; isCanary: boolean }

function give(before: ExitState, waiting: readonly number[], { now, aheadMs, random }: Moment): TurnsOfAsks {
  const turns = waiting.map((): number[] => [])
  let state = before
  const none = { state, turns, isCanary: false }
  if (stoppingRest(restAt(state, now)) || (state.gapMs === 0 && !state.canaryDue)) return none
  if (state.canaryDue && state.canaryUntil > now) return none
  for (let progressed = true; progressed; ) {
    progressed = false
    for (const [nth, own] of turns.entries()) {
      if (own.length >= (waiting[nth] ?? 0)) continue
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
