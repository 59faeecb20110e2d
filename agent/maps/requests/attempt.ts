import type { Logger } from '@placefleet/shared/log'
import type { Door } from '../urls/door.ts'
import { CLIENTS, type Client } from './client-memory.ts'
import type { Exit } from './exit.ts'
import { asMapFailed, isRefusedQuestion, MapFailed, type RetryPolicy, withRetries } from './failure.ts'
import type { MapSession } from './identity.ts'
import type { MapTab } from './map-tab.ts'
import type { TaskSessions } from './task-sessions.ts'
import { ExitRests } from './turns.ts'
import { type Fault, isRefusal, VERDICTS, type Verdict } from './verdicts.ts'

// One queue per exit, one retry, then Chromium. What is missing then is `limited`: no answer says what a place lacks.

/** The clients that may be used: all, only plain HTTP, or only Chromium. */
export type ClientChoice = 'auto' | Client

const ALLOWED: Record<ClientChoice, readonly Client[]> = { auto: CLIENTS, http: ['http'], browser: ['browser'] }

/** A question to the map site, and how each client asks it. */
export type Question<Answer> = {
  readonly door: Door
  /** Absent: the site gives it only to its own pages. */
  readonly byHttp?: (session: MapSession) => Promise<Answer>
  readonly inBrowser: (tab: MapTab) => Promise<Answer>
  /** The verdict on what was read in Chromium: only what was parsed is `whole`, which is the default. */
  readonly verdictOn?: (answer: Answer) => Verdict
  /** How many parts the site held back; by default 0, which is complete. */
  readonly missing?: (answer: Answer) => number
  /** Whether a client asks once more after an incomplete answer: the site holds parts back by chance. */
  readonly asksTwice?: boolean
  /** A place can be stored without it, so Chromium is spared where it brought nothing better. */
  readonly isOptional?: boolean
}

/** The most complete answer. `limited`: parts are missing that the site may hold back. */
export type Result<Answer> = { readonly answer: Answer; readonly limited: boolean }

export type AskContext = {
  readonly choice: ClientChoice
  readonly sessions: TaskSessions
  readonly signal: AbortSignal
  readonly log: Logger
}

/** On how many exits a question is asked, without dead proxies. */
const MAX_EXITS = 3

/**
 * Asks a question of a task. After a refusal it sends nothing more through that exit, and continues on another one.
 * Throws MapFailed with the most specific fault when no exit returned anything, MapFailed('not_found') for a place that
 * the site does not know, and the abort reason.
 */
export async function ask<Answer>(task: AskContext, question: Question<Answer>): Promise<Result<Answer>> {
  const { sessions, signal } = task
  const faults: MapFailed[] = []
  const tried = new Set<Exit>()
  for (let answering = 0; answering < MAX_EXITS; ) {
    const session = await sessions.current(tried)
    if (!session) break
    const { identity } = session
    const result = await identity.use(() => askThrough(task, session, question, faults))
    if (result) {
      sessions.ended(false)
      return result
    }
    signal.throwIfAborted()
    const fault = faults.at(-1)?.fault ?? 'unknown'
    if (VERDICTS[fault].next === 'stop') break // no other exit would start Chromium
    tried.add(identity.exit)
    sessions.ended(isRefusal(fault))
    if (!isSilent(fault)) answering++
  }
  throw primaryFault(task, faults)
}

/** Faults that operators may want to know of: of a new wall, and of a door for browsers only. */
const LOGGED_AS: Partial<Record<Fault, 'info' | 'warn'>> = { unknown: 'warn', needs_scripts: 'info' }

type Attempt<Answer> = { readonly answer: Answer; readonly missing: number }

/** Asks through one exit, with one client after the other. Undefined when none answered; the last fault says why. */
async function askThrough<Answer>(
  { choice, signal, log }: AskContext,
  session: MapSession,
  question: Question<Answer>,
  faults: MapFailed[],
): Promise<Result<Answer> | undefined> {
  const { door } = question
  const { identity } = session
  const { exit } = identity
  const { memory } = exit
  if (choice === 'http' && memory.wantsScripts(door)) return void faults.push(new MapFailed('needs_scripts'))
  let best: Attempt<Answer> | undefined
  for (const client of clientsFor(choice, question, exit)) {
    if (client === 'browser' && memory.sparesBrowser(door) && (best || question.isOptional)) break
    signal.throwIfAborted()
    try {
      const first = await askOnce(session, question, client)
      const isAskedAgain = first.missing > 0 && question.asksTwice === true
      const next = isAskedAgain ? moreComplete(first, await askOnce(session, question, client)) : first
      if (client === 'browser' && best) {
        if (next.missing < best.missing) memory.preferBrowser(door)
        else memory.browserWasUseless(door)
      }
      best = best ? moreComplete(best, next) : next
      if (best.missing === 0) break
    } catch (error) {
      signal.throwIfAborted()
      const failure = asMapFailed(error)
      const { next } = VERDICTS[failure.fault]
      if (isRefusal(failure.fault) && !(failure.cause instanceof ExitRests)) identity.retire()
      // For other doors only the address of the payload is gone. A page may know the new one.
      if (failure.fault === 'not_found' && door === 'place') throw failure
      log[LOGGED_AS[failure.fault] ?? 'debug'](
        { door, client, fault: failure.fault },
        'a request to the map site failed',
      )
      faults.push(failure)
      if (isRefusedQuestion(failure)) memory.refused(client, exit.refusedAt())
      if (next === 'scripts') memory.needsScripts(door)
      if (next === 'exit' || next === 'stop') break
    }
  }
  return best && { answer: best.answer, limited: best.missing > 0 }
}

/** The clients that ask, in their order. A chosen client asks whatever the exit remembers. */
function clientsFor<Answer>(choice: ClientChoice, { door, byHttp }: Question<Answer>, { memory }: Exit) {
  const allowed = ALLOWED[choice].filter((client) => client === 'browser' || byHttp !== undefined)
  return allowed.slice(Math.max(0, allowed.indexOf(memory.first(door))))
}

const IN_BROWSER: RetryPolicy = { tries: 2, timeouts: true }

async function askOnce<Answer>(
  session: MapSession,
  { door, byHttp, inBrowser, verdictOn = () => 'whole', missing = () => 0 }: Question<Answer>,
  client: Client,
): Promise<Attempt<Answer>> {
  const { identity, signal } = session
  const { exit, browser } = identity
  const answer =
    client === 'http' && byHttp
      ? await byHttp(session)
      : await withRetries(IN_BROWSER, signal, () => browser.withTab(inBrowser, verdictOn, signal))
  exit.memory.answered(client)
  if (missing(answer) > 0) exit.countTrimmed(door)
  return { answer, missing: missing(answer) }
}

const moreComplete = <Answer>(first: Attempt<Answer>, second: Attempt<Answer>): Attempt<Answer> =>
  second.missing < first.missing ? second : first

/** Which fault a user reads when several exits failed. A fault of the agent leads: another agent may do better. */
const PRIORITY: readonly Fault[] = [
  'agent_failed',
  'exit_refused',
  'consent',
  'needs_scripts',
  'request_refused',
  'unavailable',
  'layout',
  'not_found',
  'unknown',
  'timeout',
  'network',
  'proxy_failed',
]

const isSilent = (fault: Fault): boolean => VERDICTS[fault].rest === 'failed'

function primaryFault({ sessions }: AskContext, faults: readonly MapFailed[]): MapFailed {
  const allFailed = faults.every(({ fault }) => isSilent(fault))
  if (sessions.proxied && allFailed) return new MapFailed('proxy_failed', faults.at(-1))
  const sorted = faults.toSorted((a, b) => PRIORITY.indexOf(a.fault) - PRIORITY.indexOf(b.fault))
  const [first = new MapFailed('unknown')] = sorted
  const refusals = faults.filter(({ fault, cause }) => isRefusal(fault) && !(cause instanceof ExitRests)).length
  if (refusals >= MAX_EXITS) return new MapFailed(first.fault, first, { ...first.details, everywhere: true })
  // Without a proxy of the user, Chromium means the agent's own proxy, which could not reach the site.
  return first.fault === 'proxy_failed' && !sessions.proxied ? new MapFailed('network', first) : first
}
