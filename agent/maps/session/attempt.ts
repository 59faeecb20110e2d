import type { Logger } from '@placefleet/shared/log'
import { type Fault, isRefusal, VERDICTS, type Verdict } from '../answers/verdicts.ts'
import { CLIENTS, type Client, type ClientMemory } from '../exits/client-memory.ts'
import type { Exit } from '../exits/exit.ts'
import { ExitRests } from '../exits/turns.ts'
import type { Door } from '../urls/door.ts'
import { asMapFailed, isRefusedQuestion, MapFailed, type RetryPolicy, withRetries } from './fault.ts'
import type { HttpSession } from './http-session.ts'
import type { MapSession } from './identity.ts'
import type { MapTab } from './map-tab.ts'
import type { TaskSessions } from './task-sessions.ts'

// One queue per exit, one retry, then Chromium. What is missing then is `limited`: no answer says what a place lacks.

/** The clients that may be used: all, only plain HTTP, or only Chromium. */
export type ClientChoice = 'auto' | Client

const ALLOWED: Record<ClientChoice, readonly Client[]> = { auto: CLIENTS, http: ['http'], browser: ['browser'] }

/** Who asks over plain HTTP, and what its exit remembers. */
type HttpAccess = {
  readonly session: HttpSession
  readonly memory: ClientMemory
}

/** One thing wanted from the map site, and how each client asks for it. */
export type Question<Answer> = {
  readonly door: Door
  /** Absent: the site gives it only to its own pages. */
  readonly byHttp?: (by: HttpAccess) => Promise<Answer>
  readonly inBrowser: (tab: MapTab, session: MapSession) => Promise<Answer>
  /** The verdict on what was read in Chromium: only what was parsed is `whole`. */
  readonly verdictOn: (answer: Answer) => Verdict
  /** How many parts the site held back; 0 is complete. */
  readonly missing: (answer: Answer) => number
  /** Whether a client asks once more after an incomplete answer: the site holds parts back by chance. */
  readonly asksTwice?: boolean
  /** Whether an answer holds nothing, for data that a place can be stored without. */
  readonly isEmpty?: (answer: Answer) => boolean
}

/** The most complete answer. `limited`: parts are missing that the site may hold back. */
export type Result<Answer> = { readonly answer: Answer; readonly limited: boolean }

/** Asks questions for one task. */
export type Asker = { ask<Answer>(question: Question<Answer>): Promise<Result<Answer>> }

type AskerDeps = {
  readonly choice: ClientChoice
  readonly sessions: TaskSessions
  readonly signal: AbortSignal
  readonly log: Logger
}

/** On how many exits a question is asked, without dead proxies. */
const MAX_EXITS = 3

/**
 * Creates the asker of a task. After a refusal it sends nothing more through that exit, and continues on another one.
 * `ask` throws MapFailed with the most specific fault when no exit returned anything, MapFailed('not_found') for a
 * place that the site does not know, and the abort reason.
 */
export function createAsker(deps: AskerDeps): Asker {
  let running = 0
  return {
    async ask(question) {
      running++
      try {
        return await askOnExits(deps, question)
      } finally {
        if (--running === 0) deps.sessions.releaseSpent()
      }
    },
  }
}

async function askOnExits<Answer>(deps: AskerDeps, question: Question<Answer>): Promise<Result<Answer>> {
  const { sessions, signal } = deps
  const faults: MapFailed[] = []
  const tried = new Set<Exit>()
  for (let answering = 0; answering < MAX_EXITS; ) {
    const session = await nextSession(deps, tried, faults)
    if (!session) break
    const result = await askThrough(deps, session, question, faults)
    if (result) {
      sessions.ended(false)
      return result
    }
    signal.throwIfAborted()
    const fault = faults.at(-1)?.fault ?? 'unknown'
    if (VERDICTS[fault].next === 'stop') break // no other exit would start Chromium
    tried.add(session.exit)
    sessions.ended(isRefusal(fault))
    if (!isSilent(fault)) answering++
  }
  throw primaryFault(deps, faults)
}

/** Undefined when an earlier fault is more specific than "no exit left". */
async function nextSession(
  { sessions }: AskerDeps,
  tried: ReadonlySet<Exit>,
  faults: readonly MapFailed[],
): Promise<MapSession | undefined> {
  try {
    return await sessions.current(tried)
  } catch (error) {
    if (error instanceof MapFailed && error.fault === 'proxy_failed' && faults.length > 0) return undefined
    throw error
  }
}

type Best<Answer> = { readonly answer: Answer; readonly client: Client; readonly missing: number }

/** Asks through one exit, with one client after the other. Undefined when none answered; the last fault says why. */
async function askThrough<Answer>(
  { choice, signal, log }: AskerDeps,
  session: MapSession,
  question: Question<Answer>,
  faults: MapFailed[],
): Promise<Result<Answer> | undefined> {
  const { door } = question
  const { exit } = session
  const { memory } = exit
  if (memory.isRefused(door)) return void faults.push(new MapFailed('request_refused'))
  if (choice === 'http' && memory.wantsScripts(door)) return void faults.push(new MapFailed('needs_scripts'))
  let best: Best<Answer> | undefined
  for (const client of clientsFor(choice, question, memory)) {
    if (client === 'browser' && memory.sparesBrowser(door) && (best || question.isEmpty)) break
    signal.throwIfAborted()
    try {
      const next = await askTwice(question, client, exit, () => askOnce(signal, question, client, session))
      remember(question, memory, client, best, next)
      if (!best || next.missing < best.missing) best = next
      if (best.missing === 0) break
    } catch (error) {
      signal.throwIfAborted()
      const failure = asMapFailed(error)
      const verdict = VERDICTS[failure.fault]
      // For other doors only the address of the payload is gone. A page may know the new one.
      if (verdict.place === 'gone' && door === 'place') throw failure
      log[verdict.log]({ door, client, fault: failure.fault }, 'a request to the map site failed')
      faults.push(failure)
      if (isRefusedQuestion(failure)) memory.refused(client, door, exit.refusedAt())
      if (verdict.next === 'scripts') memory.needsScripts(door)
      if (verdict.next === 'exit' || verdict.next === 'stop') break
    }
  }
  return best && { answer: best.answer, limited: best.missing > 0 }
}

/** The clients that ask, in their order. A chosen client asks whatever the exit remembers. */
function clientsFor<Answer>(choice: ClientChoice, { door, byHttp }: Question<Answer>, memory: ClientMemory) {
  const allowed = ALLOWED[choice].filter((client) => client === 'browser' || byHttp !== undefined)
  return allowed.slice(Math.max(0, allowed.indexOf(memory.first(door))))
}

/** Learns from an answer in Chromium whether it is worth its cost at this door. */
function remember<Answer>(
  { door, isEmpty }: Question<Answer>,
  memory: ClientMemory,
  client: Client,
  before: Best<Answer> | undefined,
  { answer, missing }: Best<Answer>,
): void {
  if (client === 'http' || !before) return
  const isBetter = missing < before.missing && isEmpty?.(answer) !== true
  if (isBetter) memory.preferBrowser(door)
  else memory.browserWasUseless(door)
}

/** The more complete of two answers; the second is requested only after an incomplete first one. */
async function askTwice<Answer>(
  { door, missing, asksTwice = false }: Question<Answer>,
  client: Client,
  exit: Exit,
  ask: () => Promise<Answer>,
): Promise<Best<Answer>> {
  const answer = await ask()
  exit.memory.answered(client, door)
  const first = { answer, client, missing: missing(answer) }
  if (first.missing === 0) return first
  exit.countTrimmed(door)
  if (!asksTwice) return first
  const again = await ask()
  const second = { answer: again, client, missing: missing(again) }
  if (second.missing > 0) exit.countTrimmed(door)
  return second.missing < first.missing ? second : first
}

const IN_BROWSER: RetryPolicy = { tries: 2, timeouts: true }

async function askOnce<Answer>(
  signal: AbortSignal,
  { byHttp, inBrowser, verdictOn }: Question<Answer>,
  client: Client,
  session: MapSession,
): Promise<Answer> {
  const { exit, http } = session
  if (client === 'http' && byHttp) return byHttp({ session: http, memory: exit.memory })
  return withRetries(IN_BROWSER, signal, () => session.withTab((tab) => inBrowser(tab, session), verdictOn))
}

/**
 * Which fault a user is told of when several exits failed, the most specific first. A fault of the agent leads: another
 * agent may do better.
 */
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

/** Whether no answer of the site came. */
const isSilent = (fault: Fault): boolean => VERDICTS[fault].rest === 'failed'

function primaryFault({ sessions }: AskerDeps, faults: readonly MapFailed[]): MapFailed {
  const allFailed = faults.every(({ fault }) => isSilent(fault))
  if (sessions.proxied && allFailed) return new MapFailed('proxy_failed', faults.at(-1))
  const sorted = faults.toSorted((a, b) => PRIORITY.indexOf(a.fault) - PRIORITY.indexOf(b.fault))
  const [first = new MapFailed('unknown')] = sorted
  const refusals = faults.filter(({ fault, cause }) => isRefusal(fault) && !(cause instanceof ExitRests)).length
  if (refusals >= MAX_EXITS) return new MapFailed(first.fault, first, { ...first.details, everywhere: true })
  // Without a proxy of the user, Chromium means the agent's own proxy, which could not reach the site.
  return first.fault === 'proxy_failed' && !sessions.proxied ? new MapFailed('network', first) : first
}
