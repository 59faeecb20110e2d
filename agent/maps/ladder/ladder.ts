import type { Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import type { Exit } from '../exits/exit.ts'
import { type Repeats, RUNGS, type Rung, type Subject } from '../exits/lessons.ts'
import {
  asMapFailed,
  classifyFault,
  isRefusedQuestion,
  MapFailed,
  type MapFault,
  type RetryPolicy,
  withRetries,
} from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { MapSession } from '../session/identity.ts'
import type { TaskSessions } from '../session/task-sessions.ts'

/** The rungs that may be used: all, only plain HTTP, or only Chromium. */
export type RungChoice = 'auto' | 'http' | 'browser'

const ALLOWED: Record<RungChoice, readonly Rung[]> = { auto: RUNGS, http: ['http'], browser: ['browser'] }

/** One thing wanted from the map site, and how each kind of rung asks for it. */
export type Question<Answer> = {
  readonly subject: Subject
  /** `another` gives a session through the same exit as another client, with its own cookies. */
  readonly byHttp: (session: HttpSession, another: () => HttpSession) => Promise<Answer>
  readonly inBrowser: (page: Page, session: MapSession) => Promise<Answer>
  /** How many parts the site seems to have held back; 0 is complete. */
  readonly gaps: (answer: Answer) => number
  /**
   * True when a complete answer shows that the exit is given everything, so that gaps that come again and again are the
   * places' own. Absent: no answer shows that, and asking again brings nothing more.
   */
  readonly proves?: (answer: Answer) => boolean
  /** True to come back later instead of climbing for gaps that other answers may show to be the place's own. */
  readonly mayWait?: () => boolean
}

/**
 * The best answer found. `limited`: it has gaps, and nothing shows that they are the place's own. `undecided`: it has gaps
 * and no higher rung was tried.
 */
export type Climbed<Answer> = { readonly answer: Answer; readonly limited: boolean; readonly undecided: boolean }

/** The ladder of one task. */
export type Ladder = { climb<Answer>(question: Question<Answer>): Promise<Climbed<Answer>> }

/** Exits on which one question is asked, dead proxies not counted. */
const MAX_EXITS = 3
/** After so many climbs that gave no more, what the lower rung gives is taken for all there is. */
const MAX_FAILED_CLIMBS = 2
const IN_BROWSER: RetryPolicy = { tries: 2, timeouts: true }

type Deps = {
  readonly choice: RungChoice
  readonly sessions: TaskSessions
  readonly signal: AbortSignal
  readonly log: Logger
}

/**
 * A ladder that climbs only for content: on one exit from the rung that worked last upwards, when a rung gives nothing
 * usable or less than everything. An exit that refuses is asked nothing more on any rung; another one is asked instead.
 * `climb` throws MapFailed with the most telling fault when no exit gave anything.
 */
export function createLadder(deps: Deps): Ladder {
  return { climb: (question) => climb(deps, question) }
}

async function climb<Answer>(deps: Deps, question: Question<Answer>): Promise<Climbed<Answer>> {
  const { sessions, signal } = deps
  const faults: MapFailed[] = []
  const tried = new Set<Exit>()
  for (let asked = 0; asked < MAX_EXITS; ) {
    const session = await nextSession(deps, tried, faults)
    if (!session) break
    const climbed = await climbOn(deps, session, question, faults)
    if (climbed) {
      sessions.ended(false)
      return climbed
    }
    signal.throwIfAborted()
    const fault = faults.at(-1)?.fault ?? 'broken'
    if (fault === 'browser') break // no other exit would start it
    tried.add(session.exit)
    sessions.ended(isRefusal(fault))
    if (classifyFault(fault) !== 'failed') asked++
  }
  throw primaryFault(deps, faults)
}

/** Undefined: the faults so far say more than that no other exit is left. */
async function nextSession(
  { sessions }: Deps,
  tried: ReadonlySet<Exit>,
  faults: readonly MapFailed[],
): Promise<MapSession | undefined> {
  try {
    return await sessions.current(tried)
  } catch (error) {
    if (error instanceof MapFailed && error.fault === 'proxy' && faults.length > 0) return undefined
    throw error
  }
}

/** `own`: the gaps are the place's own. */
type Best<Answer> = { readonly answer: Answer; readonly rung: Rung; readonly gaps: number; readonly own: boolean }

/** Climbs on one exit. Undefined: it gave nothing, and the last of the faults says why. */
async function climbOn<Answer>(
  deps: Deps,
  session: MapSession,
  question: Question<Answer>,
  faults: MapFailed[],
): Promise<Climbed<Answer> | undefined> {
  const { choice, signal, log } = deps
  const { exit } = session
  if (exit.lessons.isRefused(question.subject)) {
    faults.push(new MapFailed('forbidden'))
    return undefined
  }
  const before = exit.lessons.of(question.subject)
  let best: Best<Answer> | undefined
  for (const rung of rungsFrom(choice, before.rung)) {
    try {
      const found = await askUntilWhole(question, rung, exit, () => ask(deps, question, rung, session))
      if (!best || found.gaps < best.gaps) best = found
      if (best.gaps === 0 || best.own || before.failedClimbs >= MAX_FAILED_CLIMBS) break
      if (mayWait(question, exit)) return { answer: found.answer, limited: true, undecided: true }
    } catch (error) {
      signal.throwIfAborted()
      const failure = asMapFailed(error)
      if (failure.fault === 'not_found') throw failure
      log.debug({ subject: question.subject, rung, fault: failure.fault }, 'a rung failed')
      faults.push(failure)
      if (isRefusedQuestion(failure)) exit.lessons.refused(rung, question.subject, exit.refusedAt())
      if (failure.fault === 'browser' || leavesExit(failure.fault)) break
    }
  }
  if (!best) return undefined
  const { answer, rung, gaps, own } = best
  const proven = (gaps === 0 && question.proves?.(answer) === true) || (rung === before.rung && before.proven)
  const failedClimbs = gaps > 0 && !proven ? Math.min(MAX_FAILED_CLIMBS, before.failedClimbs + 1) : before.failedClimbs
  exit.lessons.learn(question.subject, { rung, proven, failedClimbs })
  return { answer, limited: gaps > 0 && !own, undecided: false }
}

/** The answer with the fewest gaps. One with gaps is asked for again, because the site may trim each answer by chance. */
async function askUntilWhole<Answer>(
  question: Question<Answer>,
  rung: Rung,
  exit: Exit,
  askOnce: () => Promise<Answer>,
): Promise<Best<Answer>> {
  const { subject } = question
  let best: Best<Answer> | undefined
  for (let asked = 1; ; asked++) {
    const answer = await askOnce()
    exit.lessons.served(rung, subject)
    const gaps = question.gaps(answer)
    if (!best || gaps < best.gaps) best = { answer, rung, gaps, own: false }
    if (gaps === 0) {
      if (question.proves) exit.lessons.trimmed(subject, asked - 1)
      return best
    }
    if (asked === 1) exit.degraded()
    const { asks, sure } = repeatsOf(question, exit)
    if (asked >= asks && sure) exit.lessons.trimmed(subject, 0)
    if (asked >= asks || mayWait(question, exit)) return { ...best, own: sure }
  }
}

const ONCE: Repeats = { asks: 1, sure: false }

function repeatsOf<Answer>({ subject, proves }: Question<Answer>, { lessons }: Exit): Repeats {
  const { proven, failedClimbs } = lessons.of(subject)
  const isHopeless = !proven && failedClimbs >= MAX_FAILED_CLIMBS
  return proves && !isHopeless ? lessons.repeats(subject) : ONCE
}

/** Whether others may show first that the gaps are the place's own. */
const mayWait = <Answer>({ subject, mayWait: wait }: Question<Answer>, { lessons }: Exit): boolean =>
  !lessons.of(subject).proven && wait?.() === true

// A forced rung is where the climb begins, whatever was learned.
function rungsFrom(choice: RungChoice, start: Rung): readonly Rung[] {
  const allowed = ALLOWED[choice]
  return allowed.slice(Math.max(0, allowed.indexOf(start)))
}

async function ask<Answer>(
  { sessions, signal }: Deps,
  question: Question<Answer>,
  rung: Rung,
  session: MapSession,
): Promise<Answer> {
  if (rung === 'browser') {
    return withRetries(IN_BROWSER, signal, () => session.withPage((page) => question.inBrowser(page, session)))
  }
  if (rung === 'cookies') await session.borrowCookies()
  return question.byHttp(session.http, () => sessions.another(session.exit))
}

const isRefusal = (fault: MapFault) => fault === 'blocked' || fault === 'consent'

/** Nothing more is asked on an exit that was refused, or by which no answer comes. */
const leavesExit = (fault: MapFault) => isRefusal(fault) || classifyFault(fault) === 'failed'

/** Most telling first: the agent's own fault leads, since the site may answer where Chromium can be started. */
const FAULT_PRIORITY: readonly MapFault[] = [
  'browser',
  'blocked',
  'consent',
  'forbidden',
  'unavailable',
  'layout',
  'broken',
  'timeout',
  'network',
  'proxy',
]

function primaryFault({ sessions }: Deps, faults: readonly MapFailed[]): MapFailed {
  const allFailed = faults.every(({ fault }) => classifyFault(fault) === 'failed')
  if (sessions.proxied && allFailed) return new MapFailed('proxy', faults.at(-1))
  const sorted = faults.toSorted((a, b) => FAULT_PRIORITY.indexOf(a.fault) - FAULT_PRIORITY.indexOf(b.fault))
  return sorted[0] ?? new MapFailed('broken')
}
