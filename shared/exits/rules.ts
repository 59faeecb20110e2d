// The pace and the rests of one exit: a proxy, or an address that agents share. All functions are pure: the time and a
// random number are arguments. The numbers are within what other crawlers of the map site report to work. Coordinators
// apply the rules with the clock of the database; an agent without a coordinator, such as the doctor, with its own.

/** The requests per minute of one exit: at the start, and at most. */
export type Pace = { readonly start: number; readonly most: number }

/** The limits of an exit, over all who use it. */
export type ExitLimits = {
  /** Undefined for simulated sites. */
  readonly pace?: Pace | undefined
  /** The first rest after a refusal, in milliseconds. */
  readonly restMs: number
}

/**
 * Returns the most careful of the limits that the users of an exit have. One pace at least must be a limit, to be one.
 */
export function mostCareful(limits: readonly [ExitLimits, ...ExitLimits[]]): ExitLimits {
  const paces = limits.flatMap(({ pace }) => pace ?? [])
  const least = (numbers: number[]) => Math.min(...numbers)
  const pace = { start: least(paces.map(({ start }) => start)), most: least(paces.map(({ most }) => most)) }
  const restMs = Math.max(...limits.map((each) => each.restMs))
  return paces.length === 0 ? { restMs } : { pace, restMs }
}

/**
 * Why an exit rests. `blocked`: the site refused the exit. `consent`: the site shows only its consent form. `failed`:
 * the proxy does not work. `unknown`: the site sends unrecognised answers.
 */
export const REST_REASONS = ['blocked', 'consent', 'failed', 'unknown'] as const
export type RestReason = (typeof REST_REASONS)[number]

/** A rest of an exit. Times are milliseconds of the clock that the rules are applied with, as all times here. */
export type Rest = { readonly reason: RestReason; readonly from: number; readonly until: number }

/** Returns a rest if it stops requests. A failed proxy may be used, because it may be the only one. */
export const stoppingRest = (rest: Rest | undefined): Rest | undefined => (rest?.reason === 'failed' ? undefined : rest)

export type ExitState = {
  /** Milliseconds between two requests; 0 is unpaced. */
  readonly gapMs: number
  /** When the next request may start. */
  readonly nextAt: number
  /** The number of whole answers since the gap last changed. */
  readonly clean: number
  /** The score: each refusal adds a point, each answer removes half a point. */
  readonly refusals: number
  /** Failures of the proxy in a row. */
  readonly failures: number
  /** Unknown answers since the last whole one. */
  readonly unknowns: number
  readonly rest?: Rest | undefined
  /** When the last refusal arrived; 0 is never. */
  readonly refusedAt: number
  /** Set after a refusal: one request (the canary) must be answered before others may follow. */
  readonly canaryDue: boolean
  /** Until when the canary may be answered; 0 while none is sent. */
  readonly canaryUntil: number
}

const MINUTE_MS = 60_000
const SLOWEST_GAP_MS = MINUTE_MS
const CLEAN_BEFORE_FASTER = 20
const FASTER = 0.9
const SLOWER = 2
/** The longest gap, as a multiple of the first one. After many blocks the exit must still make progress. */
const SLOWEST_AFTER_REFUSALS = 20
const FORGOTTEN_PER_ANSWER = 0.5
/** No rest is longer, whatever the site demands. */
const LONGEST_REST_MS = 24 * 3_600_000
/** The rest where the site did not refuse the exit, but gives nothing either. */
const SOFT_REST_MS = { least: MINUTE_MS, most: 5 * MINUTE_MS }
/** One place costs two unrecognised answers, so three in a row are more than a place of its own kind. */
const UNKNOWN_IN_A_ROW = 3
const FAILED_REST_MS = { first: 30_000, most: 600_000 }
/** How long a canary may take. Then its agent has died, and another request may be the canary. */
const CANARY_MS = 120_000

/** Returns the state of an exit that has sent nothing yet. */
export function newExit({ pace }: ExitLimits): ExitState {
  const gapMs = pace === undefined ? 0 : MINUTE_MS / pace.start
  const undisturbed = { refusedAt: 0, canaryDue: false, canaryUntil: 0 }
  return { gapMs, nextAt: 0, clean: 0, refusals: 0, failures: 0, unknowns: 0, ...undisturbed }
}

/** Returns the state under limits that may have changed. */
export function under(state: ExitState, { pace }: ExitLimits): ExitState {
  const gapMs =
    pace === undefined ? 0 : between(MINUTE_MS / pace.most, state.gapMs || MINUTE_MS / pace.start, slowestGap(pace))
  return gapMs === state.gapMs ? state : { ...state, gapMs }
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))

/** Takes the next turn and returns when its request may start. Gaps have jitter, so that exits do not send in step. */
export function takeTurn(state: ExitState, now: number, random: number): { state: ExitState; startAt: number } {
  const startAt = Math.max(now, state.nextAt)
  return { startAt, state: { ...state, nextAt: startAt + state.gapMs * (0.5 + random) } }
}

/** What an answer does to the pace of its exit, and why the exit rests. The agent's table of verdicts explains each. */
export const PACES = ['faster', 'same'] as const
export const RESTS = ['none', ...REST_REASONS] as const

/** What an answer does to its exit, and what a refusal says. */
export type AnswerEffect = {
  readonly pace: (typeof PACES)[number]
  readonly rest: (typeof RESTS)[number]
  readonly retryAfterMs?: number | undefined
}

/** When an answer was requested and when it came, and chance. `isProxy`: the exit is a proxy, which may fail. */
type AnswerMoment = {
  readonly startedAt: number
  readonly now: number
  readonly random: number
  readonly isProxy: boolean
}

/**
 * Returns the state after an answer. An answer to a request from before the rest neither ends nor shortens the rest.
 */
export function afterAnswer(state: ExitState, effect: AnswerEffect, at: AnswerMoment, limits: ExitLimits): ExitState {
  const { pace, rest, retryAfterMs } = effect
  const { startedAt, now, random, isProxy } = at
  if (rest === 'blocked') return refused(state, { startedAt, now, retryAfterMs }, limits, random)
  if (state.rest !== undefined && startedAt < state.rest.from) return state
  if (rest === 'failed') return isProxy ? failed(state, now) : state
  const reached = withoutFailures(state)
  if (rest === 'unknown') return unknown(reached, now, limits, random)
  if (rest === 'consent') return consentRefused(reached, now, limits, random)
  return pace === 'faster' ? answered(reached, limits) : reached
}

/** Any answer of the site shows that the proxy works. */
function withoutFailures(state: ExitState): ExitState {
  const { rest } = state
  return { ...state, failures: 0, rest: rest?.reason === 'failed' ? undefined : rest }
}

/**
 * Records a whole answer. Every 20 of them make the exit a tenth faster, up to its maximum. Ends the rest of a refused
 * exit.
 */
export function answered(state: ExitState, { pace }: ExitLimits): ExitState {
  const refusals = Math.max(0, state.refusals - FORGOTTEN_PER_ANSWER)
  const known = { ...state, refusals, unknowns: 0, rest: undefined, canaryDue: false }
  if (pace === undefined || state.clean + 1 < CLEAN_BEFORE_FASTER) return { ...known, clean: state.clean + 1 }
  return { ...known, clean: 0, gapMs: Math.max(MINUTE_MS / pace.most, state.gapMs * FASTER) }
}

/** A refusal: when its request started, when it arrived, and the site's Retry-After. */
export type Refusal = { readonly startedAt: number; readonly now: number; readonly retryAfterMs?: number | undefined }

/**
 * Records a refusal. The rest doubles with each refusal in the score, has jitter, and is never shorter than the site's
 * Retry-After, up to a day. A refusal of a request that started before the rest does not count again.
 */
export function refused(state: ExitState, refusal: Refusal, limits: ExitLimits, random: number): ExitState {
  const { startedAt, now, retryAfterMs = 0 } = refusal
  if (state.rest?.reason === 'blocked' && startedAt < state.rest.from) return state
  const ours = Math.min(LONGEST_REST_MS, limits.restMs * 2 ** Math.floor(state.refusals)) * (0.5 + random / 2)
  const rest = {
    reason: 'blocked',
    from: now,
    until: now + Math.max(ours, Math.min(LONGEST_REST_MS, retryAfterMs)),
  } as const
  // A refused canary belongs to the same block.
  const gapMs = state.canaryDue ? state.gapMs : slower(state.gapMs, limits)
  return { ...state, rest, refusedAt: now, refusals: state.refusals + 1, clean: 0, canaryDue: true, gapMs }
}

/**
 * Records an unrecognised answer, which earns nothing. Three in a row rest the exit like the consent form does, and
 * then each further one until the site sends a whole one; one request at a time finds that out.
 */
export function unknown(state: ExitState, now: number, limits: ExitLimits, random: number): ExitState {
  const counted = { ...state, unknowns: state.unknowns + 1 }
  if (counted.unknowns < UNKNOWN_IN_A_ROW) return counted
  return { ...counted, rest: softRest('unknown', now, limits, random), clean: 0, canaryDue: true }
}

/**
 * Records that the site shows only its consent form: the exit rests one to five minutes, at most as long as after a
 * refusal.
 */
export function consentRefused(state: ExitState, now: number, limits: ExitLimits, random: number): ExitState {
  return { ...state, rest: softRest('consent', now, limits, random), clean: 0 }
}

function softRest(reason: RestReason, now: number, { restMs }: ExitLimits, random: number): Rest {
  const { least, most } = SOFT_REST_MS
  return { reason, from: now, until: now + Math.min(restMs, least + (most - least) * random) }
}

/** Records that the proxy failed: it rests half a minute, doubled with each failure in a row, up to ten minutes. */
export function failed(state: ExitState, now: number): ExitState {
  const ms = Math.min(FAILED_REST_MS.most, FAILED_REST_MS.first * 2 ** state.failures)
  return { ...state, rest: { reason: 'failed', from: now, until: now + ms }, failures: state.failures + 1 }
}

/** Returns the state while one request alone is sent to find out whether the site answers again. */
export const canarySent = (state: ExitState, now: number): ExitState => ({ ...state, canaryUntil: now + CANARY_MS })

/** Returns the state after the canary, whatever became of it. */
export const canaryEnded = (state: ExitState): ExitState => ({ ...state, canaryUntil: 0 })

/** Returns the rest that applies at `now`, if any. */
export function restAt({ rest }: Pick<ExitState, 'rest'>, now: number): Rest | undefined {
  return rest !== undefined && rest.until > now ? rest : undefined
}

/** Doubles the gap, up to 20 × the first gap and up to a minute. A gap that is already longer stays. */
function slower(gapMs: number, { pace }: ExitLimits): number {
  return pace === undefined ? 0 : Math.max(gapMs, Math.min(slowestGap(pace), gapMs * SLOWER))
}

const slowestGap = ({ start }: Pace): number => Math.min(SLOWEST_GAP_MS, (SLOWEST_AFTER_REFUSALS * MINUTE_MS) / start)
