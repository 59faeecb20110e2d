import type { Logger } from '@placefleet/shared/log'
import { abortable } from '@placefleet/shared/timing'
import { VERDICTS, type Verdict } from '../answers/verdicts.ts'
import type { Exit } from '../exits/exit.ts'
import {
  isClimbingUseless,
  memoryAfter,
  type Repeats,
  RUNGS,
  type Rung,
  type RungMemory,
  type Subject,
} from '../exits/rung-memory.ts'
import { asMapFailed, isRefusedQuestion, MapFailed, type RetryPolicy, withRetries } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { MapSession } from '../session/identity.ts'
import type { MapTab } from '../session/map-tab.ts'
import type { TaskSessions } from '../session/task-sessions.ts'

/** The rungs that may be used: all, only plain HTTP, or only Chromium. */
export type RungChoice = 'auto' | 'http' | 'browser'

const ALLOWED: Record<RungChoice, readonly Rung[]> = { auto: RUNGS, http: ['http'], browser: ['browser'] }

/** Who asks over plain HTTP. `otherClient` gives a session through the same exit with its own cookies. */
type HttpContext = {
  readonly session: HttpSession
  readonly otherClient: () => HttpSession
  readonly memory: RungMemory
}

/** One thing wanted from the map site, and how each kind of rung asks for it. */
export type Question<Answer> = {
  readonly subject: Subject
  readonly byHttp: (by: HttpContext) => Promise<Answer>
  readonly inBrowser: (tab: MapTab, session: MapSession) => Promise<Answer>
  /** The verdict on what was read in Chromium: only what was parsed is `whole`. */
  readonly verdictOn: (answer: Answer) => Verdict
  /** How many parts the site seems to have held back; 0 is complete. */
  readonly gaps: (answer: Answer) => number
  /**
   * Whether this answer proves that the site does not trim the exit's answers. From then on, missing parts are believed to
   * be missing at the place. Absent: no answer can prove it, and such requests are not repeated.
   */
  readonly showsWholeAnswers?: (answer: Answer) => boolean
  /** Whether an answer holds nothing, for data that a place can be stored without. Then its rung is no better. */
  readonly isEmpty?: (answer: Answer) => boolean
  /** True: ask again later. Other places may prove meanwhile that answers are whole, and save the climb. */
  readonly mayPostpone?: () => boolean
}

/**
 * The best answer found. `limited`: parts are missing, perhaps withheld by the site. `postponed`: parts are missing, and no
 * higher rung was tried.
 */
export type Climbed<Answer> = { readonly answer: Answer; readonly limited: boolean; readonly postponed: boolean }

const IN_BROWSER: RetryPolicy = { tries: 2, timeouts: true }

/** The dependencies of a climb. */
export type ClimbDeps = {
  readonly choice: RungChoice
  readonly sessions: TaskSessions
  readonly signal: AbortSignal
  readonly log: Logger
}

/** `gapsAreReal`: the place really lacks these parts. */
type Best<Answer> = {
  readonly answer: Answer
  readonly rung: Rung
  readonly gaps: number
  readonly gapsAreReal: boolean
}

/**
 * A climb so far. `ended`: no higher rung will be tried. `postponed`: other places may first show whether the place
 * really lacks the parts.
 */
type Climb<Answer> = {
  readonly deps: ClimbDeps
  readonly session: MapSession
  readonly question: Question<Answer>
  readonly faults: MapFailed[]
  best: Best<Answer> | undefined
  ended: boolean
  postponed: boolean
}

/**
 * Tries the rungs of one exit, upwards from the rung that worked last. Returns undefined when no rung answered; the last
 * fault says why. Only one request of a subject climbs at a time. Requests that wait for it start at the rung that it
 * found. Throws MapFailed('not_found') for an unknown place, and the abort reason.
 */
export async function climbOn<Answer>(
  deps: ClimbDeps,
  session: MapSession,
  question: Question<Answer>,
  faults: MapFailed[],
): Promise<Climbed<Answer> | undefined> {
  const { subject } = question
  const { memory } = session.exit
  if (memory.isRefused(subject)) {
    faults.push(new MapFailed('request_refused'))
    return undefined
  }
  const climb: Climb<Answer> = { deps, session, question, faults, best: undefined, ended: false, postponed: false }
  if (deps.choice === 'http' && memory.wantsScripts(subject)) {
    faults.push(new MapFailed('needs_scripts'))
    return undefined
  }
  const start = memory.of(subject).rung
  const [first = start, ...higher] = rungsFrom(deps.choice, start)
  await tryRung(climb, first)
  if (climb.ended || higher.length === 0) return learned(climb)
  const rest = memory.alone(subject, async () => {
    const from = RUNGS.indexOf(memory.of(subject).rung)
    for (const rung of higher.filter((one) => RUNGS.indexOf(one) >= from)) {
      const isUseless =
        isClimbingUseless(memory.of(subject)) && (climb.best !== undefined || question.isEmpty !== undefined)
      if (!climb.ended && !isUseless) await tryRung(climb, rung)
    }
    return learned(climb)
  })
  return abortable(rest, deps.signal)
}

async function tryRung<Answer>(climb: Climb<Answer>, rung: Rung): Promise<void> {
  const { deps, session, question, faults } = climb
  const { exit } = session
  deps.signal.throwIfAborted()
  try {
    const best = await askUntilWhole(question, rung, exit, () => ask(deps.signal, question, rung, session))
    if (!climb.best || best.gaps < climb.best.gaps) climb.best = best
    const { gaps, gapsAreReal } = climb.best
    climb.postponed = gaps > 0 && !gapsAreReal && mayPostpone(question, exit)
    climb.ended = gaps === 0 || gapsAreReal || climb.postponed || isClimbingUseless(exit.memory.of(question.subject))
  } catch (error) {
    deps.signal.throwIfAborted()
    const failure = asMapFailed(error)
    // For other subjects only the address of the payload is gone. A page may know the new one.
    const row = VERDICTS[failure.fault]
    if (row.place === 'gone' && question.subject === 'place') throw failure
    deps.log[row.log]({ subject: question.subject, rung, fault: failure.fault }, 'a rung failed')
    faults.push(failure)
    if (isRefusedQuestion(failure)) exit.memory.refused(rung, question.subject, exit.refusedAt())
    if (row.rung === 'to_chromium') exit.memory.needsScripts(question.subject)
    climb.ended = row.rung === 'leaves' || row.rung === 'ends'
  }
}

function learned<Answer>({ best, postponed, question, session }: Climb<Answer>): Climbed<Answer> | undefined {
  if (!best) return undefined
  const { answer, rung, gaps, gapsAreReal } = best
  if (postponed) return { answer, limited: true, postponed }
  const { memory } = session.exit
  const showsWholeAnswers = question.showsWholeAnswers?.(answer) === true
  const isEmpty = question.isEmpty?.(answer) === true
  memory.remember(
    question.subject,
    memoryAfter(memory.of(question.subject), { rung, gaps, showsWholeAnswers, isEmpty }),
  )
  return { answer, limited: gaps > 0 && !gapsAreReal, postponed }
}

/**
 * Returns the answer with the fewest gaps. Repeats a request whose answer has gaps, because the site may trim each
 * answer by chance.
 */
async function askUntilWhole<Answer>(
  question: Question<Answer>,
  rung: Rung,
  exit: Exit,
  askOnce: () => Promise<Answer>,
): Promise<Best<Answer>> {
  const { subject } = question
  let best: Best<Answer> | undefined
  for (let repeat = 1; ; repeat++) {
    const answer = await askOnce()
    exit.memory.served(rung, subject)
    const gaps = question.gaps(answer)
    if (!best || gaps < best.gaps) best = { answer, rung, gaps, gapsAreReal: false }
    if (gaps === 0) {
      if (question.showsWholeAnswers) exit.memory.trimmed(subject, repeat - 1)
      return best
    }
    if (repeat === 1) exit.trimmed(subject)
    const { asks, sure } = repeatsOf(question, rung, exit)
    if (repeat >= asks && sure) exit.memory.trimmed(subject, 0)
    if (repeat >= asks || mayPostpone(question, exit)) return { ...best, gapsAreReal: sure }
  }
}

const ONCE: Repeats = { asks: 1, sure: false }

function repeatsOf<Answer>({ subject, showsWholeAnswers }: Question<Answer>, rung: Rung, { memory }: Exit): Repeats {
  return showsWholeAnswers && !isClimbingUseless(memory.of(subject)) ? memory.repeats(rung, subject) : ONCE
}

/** Returns whether other places may first show that the place really lacks these parts. */
const mayPostpone = <Answer>({ subject, mayPostpone: wait }: Question<Answer>, { memory }: Exit): boolean =>
  !memory.of(subject).proven && wait?.() === true

// A climb begins at a forced rung, without regard to what the exit remembers.
function rungsFrom(choice: RungChoice, start: Rung): readonly Rung[] {
  const allowed = ALLOWED[choice]
  return allowed.slice(Math.max(0, allowed.indexOf(start)))
}

async function ask<Answer>(
  signal: AbortSignal,
  question: Question<Answer>,
  rung: Rung,
  session: MapSession,
): Promise<Answer> {
  if (rung === 'browser') {
    return withRetries(IN_BROWSER, signal, () =>
      session.withTab((tab) => question.inBrowser(tab, session), question.verdictOn),
    )
  }
  const { exit, http, otherClient } = session
  return question.byHttp({ session: http, otherClient, memory: exit.memory })
}
