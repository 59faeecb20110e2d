import { abortable, delay, monotonicNow } from '@placefleet/shared/timing'
import pLimit from 'p-limit'
import type { Unread } from '../answers/unknown.ts'
import type { Verdict } from '../answers/verdicts.ts'
import { createLessons, type Lessons } from './lessons.ts'
import {
  type ExitLimits,
  type ExitState,
  type Heard,
  heard,
  newExit,
  type Rest,
  type RestReason,
  restAt,
  takeTurn,
} from './rules.ts'

/** Thrown when a request is not sent because its exit rests. */
export class ExitRests extends Error {
  override readonly name = 'ExitRests'
  readonly rest: Rest

  constructor(rest: Rest) {
    super(`the exit rests: ${rest.reason}`)
    this.rest = rest
  }
}

/** A proxy, or this machine's own address, as the map site knows it. Shared by all tasks of the agent. */
export type Exit = {
  /** The proxy's URL with its credentials, which must not be logged. Undefined: without a proxy. */
  readonly proxy: string | undefined
  readonly lessons: Lessons
  /**
   * Sends one request to the map site when the exit's pace allows it, and learns from the verdict on its answer or error.
   * After a refusal it sends one request alone, and the others wait for its answer. Throws the abort reason at once, also
   * while the request waits; ExitRests instead of sending while the exit rests; else the error of `send`. Without a
   * verdict, `hears` tells it later.
   */
  request<T>(signal: AbortSignal, send: () => Promise<T>, verdictOn: (answer: T) => Verdict | undefined): Promise<T>
  /** Records what the answer to a request says that started at this time, in milliseconds of `monotonicNow`. */
  hears(said: Heard, startedAt: number): void
  /** Reports an answer that nobody knows. */
  sawUnknown(answer: Unread): void
  /** Records that the last answer, a whole one by itself, lacks parts. */
  trimmed(): void
  rest(): Rest | undefined
  /** Returns when the pace allows the next request, in milliseconds of `monotonicNow`. */
  readyAt(): number
  isRotating(): boolean
  /** When the site last refused the exit, in milliseconds of `monotonicNow`; 0 is never. */
  refusedAt(): number
}

export type ExitDeps = {
  readonly limits: ExitLimits
  /** Returns what the exit hears in the error of a request. Undefined when it concerns only the request. */
  readonly heardIn: (error: unknown) => Heard | undefined
  /** Called with each verdict. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** Called with each answer that nobody knows. */
  readonly onUnknown?: ((answer: Unread) => void) | undefined
  readonly now?: () => number
  readonly random?: () => number
}

/** Creates an exit that has sent nothing yet. */
export function createExit(proxy: string | undefined, deps: ExitDeps): Exit {
  const { limits, heardIn, now = monotonicNow } = deps
  const limit = pLimit(limits.pace === undefined ? Number.POSITIVE_INFINITY : limits.inFlight)
  const known = createKnowledge(proxy, deps)
  let canary: Promise<unknown> | undefined

  const send = async <T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    verdictOn: (answer: T) => Verdict | undefined,
  ) => {
    const waitMs = known.takeTurn() - now()
    if (waitMs > 0) await delay(waitMs, signal)
    signal.throwIfAborted()
    known.mayAsk()
    const startedAt = now()
    try {
      const answer = await work()
      const verdict = verdictOn(answer)
      if (verdict && !signal.aborted) known.hears({ verdict }, startedAt)
      return answer
    } catch (error) {
      const inError = signal.aborted ? undefined : heardIn(error)
      if (inError) known.hears(inError, startedAt)
      throw error
    }
  }
  const sendInTurn = async <T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    verdictOn: (answer: T) => Verdict | undefined,
  ) => {
    for (;;) {
      signal.throwIfAborted()
      known.mayAsk()
      if (!known.state().canaryDue) return send(signal, work, verdictOn)
      if (!canary) break
      await abortable(
        canary.catch(() => undefined),
        signal,
      ) // its error is thrown to the task that sent it
    }
    const sent = send(signal, work, verdictOn)
    canary = sent
    return sent.finally(() => {
      canary = undefined
    })
  }
  /** Leaves the queue at an abort. A request that was sent is awaited, because it ends what it opened. */
  const request: Exit['request'] = async (signal, work, verdictOn) => {
    const isNext = Promise.withResolvers<void>()
    const sent = limit(() => {
      isNext.resolve()
      return sendInTurn(signal, work, verdictOn)
    })
    sent.catch(() => undefined) // nobody waits for a request that was aborted in the queue
    await abortable(isNext.promise, signal)
    return sent
  }
  return {
    proxy,
    lessons: createLessons(now),
    request,
    hears: known.hears,
    sawUnknown: (answer) => deps.onUnknown?.(answer),
    trimmed: () => known.hears({ verdict: 'trimmed' }, now()),
    rest: () => restAt(known.state(), now()),
    readyAt: () => known.state().nextAt,
    isRotating: known.isRotating,
    refusedAt: () => known.state().refusedAt,
  }
}

/** Refusals of two addresses within this time show a gateway whose address changes with each request or soon after. */
const ROTATES_WITHIN_MS = 600_000

/** Creates the state of one exit. The rules define how each verdict changes it. */
function createKnowledge(proxy: string | undefined, deps: ExitDeps) {
  const { limits, onVerdict, now = monotonicNow, random = Math.random } = deps
  let state: ExitState = newExit(limits)
  let refusedTo: { readonly address: string; readonly at: number } | undefined

  const isRecent = () => refusedTo !== undefined && now() - refusedTo.at < ROTATES_WITHIN_MS
  return {
    state: () => state,
    isRotating: () => state.rotating && isRecent(),
    /** Takes the next turn, and returns when its request may start. */
    takeTurn(): number {
      const turn = takeTurn(state, now(), random())
      state = turn.state
      return turn.startAt
    },
    /** Throws ExitRests while the exit rests. A failed proxy may be used, because it may be the only one. */
    mayAsk() {
      const rest = restAt(state, now())
      if (rest && rest.reason !== 'failed') throw new ExitRests(rest)
    },
    hears(said: Heard, startedAt: number) {
      const { address } = said
      if (address !== undefined) {
        state = { ...state, rotating: isRecent() && refusedTo?.address !== address }
        refusedTo = { address, at: now() }
      } else if (!isRecent()) state = { ...state, rotating: false }
      state = heard(state, said, { startedAt, now: now(), random: random(), isProxy: proxy !== undefined }, limits)
      onVerdict?.(said.verdict)
    },
  }
}

/** The exits of an agent, in memory only: their URLs hold passwords. */
export type Exits = {
  /** The exit of a proxy, known by its whole URL; without one, this machine's own address. */
  of(proxy: string | undefined): Exit
  /** Counts the resting exits by reason. */
  resting(): Record<RestReason, number>
}

const MOST_REMEMBERED = 10_000

/** Creates an empty collection of exits. */
export function createExits(deps: ExitDeps): Exits {
  const known = new Map<string | undefined, Exit>()
  return {
    of(proxy) {
      const exit = known.get(proxy) ?? createExit(proxy, deps)
      known.delete(proxy)
      known.set(proxy, exit)
      const [oldest] = known.size > MOST_REMEMBERED ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      return exit
    },
    resting() {
      const counts = { blocked: 0, consent: 0, failed: 0, unknown: 0 }
      for (const exit of known.values()) {
        const rest = exit.rest()
        if (rest) counts[rest.reason]++
      }
      return counts
    },
  }
}

/**
 * Returns the order in which a task tries its exits. The first one depends on the task, so that tasks spread over the
 * exits. Resting exits come last, ordered by the end of their rest.
 */
export function orderFor(taskId: string, exits: readonly Exit[]): Exit[] {
  const start = exits.length === 0 ? 0 : hash(taskId) % exits.length
  const turned = [...exits.slice(start), ...exits.slice(0, start)]
  const restsUntil = (exit: Exit) => exit.rest()?.until ?? 0
  return turned.toSorted((a, b) => restsUntil(a) - restsUntil(b))
}

// FNV-1a, 32 bits: any spread will do.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}
