import { delay, monotonicNow } from '@placefleet/shared/timing'
import pLimit from 'p-limit'
import { createLessons, type Lessons } from './lessons.ts'
import {
  answered,
  consentRefused,
  degraded,
  type ExitLimits,
  type ExitState,
  failed,
  newExit,
  type Rest,
  type RestReason,
  refused,
  restAt,
  takeTurn,
} from './rules.ts'

/**
 * The class of a request's error for its exit; undefined when it concerns only the request. `answered`: the site served
 * the exit, but not the requested data. `address` is the exit's IP address, as the site saw it.
 */
export type ErrorClass =
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused'; readonly retryAfterMs?: number | undefined; readonly address?: string | undefined }
  | { readonly kind: 'consent' }
  | { readonly kind: 'failed' }

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
   * Sends one request to the map site when the exit's pace allows it, and learns from its result. After a refusal it
   * sends one request alone, and the others wait for its answer. Throws ExitRests instead of sending while the exit
   * rests, else the error of `send`.
   */
  request<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T>
  /** Records that the last answer was incomplete. */
  degraded(): void
  /** Records that the site no longer knows its own cookies: the exit has another address now. */
  rotates(): void
  rest(): Rest | undefined
  /** Returns when the pace allows the next request, in milliseconds of `monotonicNow`. */
  readyAt(): number
  isRotating(): boolean
  /** When the site last refused the exit, in milliseconds of `monotonicNow`; 0 is never. */
  refusedAt(): number
}

export type ExitDeps = {
  readonly limits: ExitLimits
  readonly classifyError: (error: unknown) => ErrorClass | undefined
  readonly now?: () => number
  readonly random?: () => number
}

/** Creates an exit that has sent nothing yet. */
export function createExit(proxy: string | undefined, deps: ExitDeps): Exit {
  const { limits, now = monotonicNow } = deps
  const limit = pLimit(limits.pace === undefined ? Number.POSITIVE_INFINITY : limits.inFlight)
  const known = createKnowledge(proxy, deps)
  let canary: Promise<unknown> | undefined

  const send = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const waitMs = known.takeTurn() - now()
    if (waitMs > 0) await delay(waitMs, signal)
    signal.throwIfAborted()
    known.mayAsk()
    const startedAt = now()
    try {
      const answer = await work()
      known.answered(startedAt)
      return answer
    } catch (error) {
      if (!signal.aborted) known.failed(error, startedAt)
      throw error
    }
  }
  const sendInTurn = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted()
      known.mayAsk()
      if (!known.state().canaryDue) return send(signal, work)
      if (!canary) break
      await canary.catch(() => undefined) // its error is thrown to the task that sent it
    }
    const sent = send(signal, work)
    canary = sent
    return sent.finally(() => {
      canary = undefined
    })
  }
  return {
    proxy,
    lessons: createLessons(now),
    request: (signal, work) => limit(() => sendInTurn(signal, work)),
    degraded: () => known.change((state) => degraded(state, limits)),
    rotates: () => known.change((state) => ({ ...state, rotating: true })),
    rest: () => restAt(known.state(), now()),
    readyAt: () => known.state().nextAt,
    isRotating: () => known.state().rotating,
    refusedAt: () => known.state().refusedAt,
  }
}

/** Creates the state of one exit. The rules define how each answer changes it. */
function createKnowledge(proxy: string | undefined, deps: ExitDeps) {
  const { limits, classifyError, now = monotonicNow, random = Math.random } = deps
  let state: ExitState = newExit(limits)
  let address: string | undefined

  const noteRefusal = (refusal: Refusal, startedAt: number) => {
    const isAnotherAddress = address !== undefined && refusal.address !== undefined && address !== refusal.address
    if (isAnotherAddress) state = { ...state, rotating: true }
    address = refusal.address ?? address
    state = refused(state, { startedAt, now: now(), retryAfterMs: refusal.retryAfterMs }, limits, random())
  }
  /** Returns whether a request started before the current rest. Its answer does not end or shorten the rest. */
  const isBeforeRest = (startedAt: number) => state.rest !== undefined && startedAt < state.rest.from
  return {
    state: () => state,
    change(next: (state: ExitState) => ExitState) {
      state = next(state)
    },
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
    answered(startedAt: number) {
      if (!isBeforeRest(startedAt)) state = answered(state, limits)
    },
    failed(error: unknown, startedAt: number) {
      const errorClass = classifyError(error)
      if (errorClass?.kind === 'refused') noteRefusal(errorClass, startedAt)
      if (isBeforeRest(startedAt)) return
      if (errorClass?.kind === 'failed' && proxy !== undefined) state = failed(state, now())
      if (errorClass?.kind === 'answered') state = answered(state, limits)
      if (errorClass?.kind === 'consent') state = consentRefused(state, now(), limits, random())
    },
  }
}

type Refusal = Extract<ErrorClass, { readonly kind: 'refused' }>

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
      const counts = { blocked: 0, consent: 0, failed: 0 }
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
