import type { Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { asMapFailed, MapFailed, type MapFault } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { MapSession } from '../session/map-session.ts'
import { type RetryPolicy, withRetries } from '../session/retry.ts'
import type { TaskSessions } from '../session/task-sessions.ts'
import { type LadderMemory, RUNGS, type Rung, type Subject } from './memory.ts'

/** Which rungs may be used: all, only plain HTTP, only Chromium. */
export type RungChoice = 'auto' | 'http' | 'browser'

const ALLOWED: Record<RungChoice, readonly Rung[]> = { auto: RUNGS, http: ['http'], browser: ['browser'] }

/** One thing wanted from the map site, and how each kind of rung asks for it. */
export type Question<Answer> = {
  readonly subject: Subject
  /** `another` begins a second session by the same exit, with cookies of its own. */
  readonly byHttp: (session: HttpSession, another: () => HttpSession) => Promise<Answer>
  readonly inBrowser: (page: Page) => Promise<Answer>
  /** How many parts the site seems to have held back; 0 is complete. */
  readonly gaps: (answer: Answer) => number
  /** Whether a complete answer shows that this session is given everything, so that later gaps are the places' own. */
  readonly proves: (answer: Answer) => boolean
  /** Whether to come back later rather than climb for gaps that other answers may show to be the place's own. */
  readonly mayWait?: () => boolean
}

/**
 * The best answer found. `limited`: it has gaps, and nothing shows that they are the place's own. `undecided`: so it is,
 * but nobody has climbed for more yet.
 */
export type Climbed<Answer> = { readonly answer: Answer; readonly limited: boolean; readonly undecided: boolean }

/** The ladder of one task. */
export type Ladder = { climb<Answer>(question: Question<Answer>): Promise<Climbed<Answer>> }

/** Ways out that are tried on one rung where the site answers, but with nothing; then another rung is the better bet. */
const MAX_EXITS_PER_RUNG = 5
/** Climbs that brought nothing more, after which what the lower rung gives is taken for all there is. */
const MAX_FAILED_CLIMBS = 2
const IN_BROWSER: RetryPolicy = { tries: 2, timeouts: true }

type Deps = {
  readonly choice: RungChoice
  readonly sessions: TaskSessions
  readonly memory: LadderMemory
  readonly signal: AbortSignal
  readonly log: Logger
}

/**
 * A ladder that climbs only as far as it must: from the rung that worked last, upwards when a rung is refused, fails, or
 * gives less than everything. `climb` throws MapFailed with the most telling fault when no rung gave anything.
 */
export function createLadder(deps: Deps): Ladder {
  return {
    climb: (question) => climb(deps, question),
  }
}

type Best<Answer> = { readonly answer: Answer; readonly rung: Rung; readonly gaps: number }

async function climb<Answer>(deps: Deps, question: Question<Answer>): Promise<Climbed<Answer>> {
  const before = deps.memory.of(question.subject)
  const faults: MapFailed[] = []
  let best: Best<Answer> | undefined
  for (const rung of rungsFrom(deps.choice, before.rung)) {
    const found = await onRung(deps, question, rung, faults)
    if (!found && allProxiesFailed(deps, faults)) break // Chromium would only meet the same proxies
    if (!found) continue
    const gaps = question.gaps(found.answer)
    if (!best || gaps < best.gaps) best = { answer: found.answer, rung, gaps }
    if (gaps === 0 || before.proven || before.failedClimbs >= MAX_FAILED_CLIMBS) break
    if (question.mayWait?.()) return { answer: found.answer, limited: true, undecided: true }
  }
  if (!best) throw primaryFault(deps, faults)
  const { answer, rung, gaps } = best
  const proven = (gaps === 0 && question.proves(answer)) || (rung === before.rung && before.proven)
  const failedClimbs = gaps > 0 && !proven ? Math.min(MAX_FAILED_CLIMBS, before.failedClimbs + 1) : before.failedClimbs
  deps.memory.learn(question.subject, { rung, proven, failedClimbs })
  return { answer, limited: gaps > 0 && !proven, undecided: false }
}

// A forced rung has no other to begin at.
function rungsFrom(choice: RungChoice, start: Rung): readonly Rung[] {
  const allowed = ALLOWED[choice]
  return allowed.slice(Math.max(0, allowed.indexOf(start)))
}

async function onRung<Answer>(
  { sessions, signal, log }: Deps,
  question: Question<Answer>,
  rung: Rung,
  faults: MapFailed[],
): Promise<{ answer: Answer } | undefined> {
  for (let exit = 1; exit <= sessions.exits; exit++) {
    const session = sessions.current()
    try {
      const answer = await ask(question, rung, session, signal)
      sessions.works(session)
      return { answer }
    } catch (error) {
      signal.throwIfAborted()
      const failure = asMapFailed(error)
      if (failure.fault === 'not_found') throw failure
      log.debug({ subject: question.subject, rung, fault: failure.fault }, 'a rung failed')
      faults.push(failure)
      if (failure.fault === 'browser') return undefined // which no other exit out would start
      const verdict = VERDICTS[failure.fault]
      if (verdict !== 'failed' && exit >= MAX_EXITS_PER_RUNG) return undefined
      sessions.moveOn(session, verdict)
    }
  }
  return undefined
}

async function ask<Answer>(
  question: Question<Answer>,
  rung: Rung,
  session: MapSession,
  signal: AbortSignal,
): Promise<Answer> {
  if (rung === 'browser') return withRetries(IN_BROWSER, signal, () => session.withPage(question.inBrowser))
  if (rung === 'cookies') await session.borrowCookies()
  return question.byHttp(session.http, session.another)
}

/** What a fault says of the exit out it came by; the others are the site's own doing. */
const VERDICTS: Partial<Record<MapFault, 'blocked' | 'failed'>> = {
  blocked: 'blocked',
  consent: 'blocked',
  proxy: 'failed',
  network: 'failed',
  timeout: 'failed',
}

function allProxiesFailed({ sessions }: Deps, faults: readonly MapFailed[]): boolean {
  return sessions.proxied && faults.every(({ fault }) => VERDICTS[fault] === 'failed')
}

// First what is the agent's own: the site may well answer where Chromium can be started.
const FAULT_PRIORITY: readonly MapFault[] = [
  'browser',
  'blocked',
  'consent',
  'unavailable',
  'layout',
  'broken',
  'timeout',
  'network',
  'proxy',
]

function primaryFault(deps: Deps, faults: readonly MapFailed[]): MapFailed {
  if (allProxiesFailed(deps, faults)) return new MapFailed('proxy', faults.at(-1))
  const sorted = faults.toSorted((a, b) => FAULT_PRIORITY.indexOf(a.fault) - FAULT_PRIORITY.indexOf(b.fault))
  return sorted[0] ?? new MapFailed('broken')
}
