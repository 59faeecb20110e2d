import { TakeTurnsRequest, type TakeTurnsResponse } from '@placefleet/proto/fleet'
import { type ExitLimits, PACES, RESTS } from '@placefleet/shared/exits/rules'
import { type Grant, MOST_REPORTS } from '@placefleet/shared/exits/turns'
import { canFail, type Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import { z } from 'zod'
import type { AgentAsk, AgentReport } from '../exits/decide.ts'
import type { ExitIds } from '../exits/documents.ts'
import type { ExitGrants } from '../exits/grants.ts'
import {
  type AgentCall,
  accountableFor,
  type Caller,
  ContractViolation,
  endWith,
  idOf,
  isOver,
  messagesOf,
  REVOKED,
  send,
  statusOf,
} from './call.ts'
import type { Registrations } from './commands.ts'
import type { Quota } from './quota.ts'

export type TakeTurnsDeps = {
  log: Logger
  exitIds: ExitIds
  exitGrants: ExitGrants
  exitQuota: Quota
  registrations: Registrations
}

/**
 * How many asks of a stream may wait for their decision. More than any agent has exits in use; beyond them its next
 * message is read when one is decided. Fewer would delay a refusal behind asks that are gathered for two seconds.
 */
export const MOST_UNDECIDED = 200

/** The answer to an ask for an exit beyond the limit: no turns, and no decision. */
const NO_TURNS_MS = 60_000

const DAY_MS = 24 * 3_600_000
const milliseconds = z.number().min(0).max(DAY_MS)
const perMinute = z.int().max(10_000)

const AnswerReport = z.object({
  verdict: z.string().regex(/^[a-z_]{1,40}$/),
  pace: z.enum(PACES),
  rest: z.enum(RESTS),
  count: z.int().min(1).max(1_000_000),
  started_ms_ago: milliseconds,
  retry_after_ms: z.number().min(0).optional(),
})

const TurnsRequest = z.object({
  proxy_digest: z.union([z.literal(''), z.string().regex(/^[0-9a-f]{64}$/)]),
  waiting: z.int().max(1_000),
  first_per_minute: perMinute,
  most_per_minute: perMinute,
  rest_seconds: z.number().positive().max(86_400),
  reports: z.array(AnswerReport).max(MOST_REPORTS),
  canary_ended: z.boolean(),
})

/** Serves the turns of exits to one agent, until the stream ends. Asks for several exits are answered as they are decided. */
export async function takeTurns(
  deps: TakeTurnsDeps,
  call: AgentCall<TakeTurnsResponse>,
  caller: Caller,
): Promise<void> {
  const { exitIds, exitGrants, exitQuota, log } = deps
  call.setMaxListeners(2 * MOST_UNDECIDED) // each answer may wait until the agent reads
  const followed = new Map<string, () => void>()
  const undecided = new Set<Promise<void>>()
  const agent = accountableFor(call, caller)
  const leave = leaveOnRevocation(deps, call, caller)
  const answer = (request: Pick<TakeTurnsRequest, 'ask' | 'proxy_digest'>, grant: Grant) =>
    send(call, responseOf(request, grant))
  try {
    for await (const request of messagesOf(call, TakeTurnsRequest.decode)) {
      const { proxy_digest } = request
      const ask = askOf(request, idOf(caller, request.agent_id))
      const exit = proxy_digest === '' ? caller.exit : exitIds.proxy(proxy_digest)
      if (!exitQuota(agent, exit.id)) {
        await answer(request, noTurns())
        continue
      }
      const onRest = (grant: Grant) => void canFail(log, 'telling of a rest', answer({ ask: 0, proxy_digest }, grant))
      if (!followed.has(exit.id)) followed.set(exit.id, exitGrants.follow(exit.id, onRest))
      const taking = exitGrants.take(exit, ask)
      const answered = answerLater(log, call, taking, (grant) => answer(request, grant)).finally(() =>
        undecided.delete(answered),
      )
      undecided.add(answered)
      if (undecided.size >= MOST_UNDECIDED) await Promise.race(undecided)
    }
    call.end()
  } finally {
    leave()
    for (const stop of followed.values()) stop()
  }
}

function noTurns(): Grant {
  const later = monotonicNow() + NO_TURNS_MS
  const undisturbed = { rest: undefined, refusedAt: 0 }
  return { turns: [], isCanary: false, isFree: false, ...undisturbed, nextAt: later, askAt: later }
}

/** Answers once it is decided. A failure ends the stream: the agent asks again on another one. */
async function answerLater(
  log: Logger,
  call: AgentCall<TakeTurnsResponse>,
  taking: Promise<Grant>,
  answer: (grant: Grant) => Promise<void>,
): Promise<void> {
  try {
    await answer(await taking)
  } catch (error) {
    if (isOver(call)) return
    log.warn({ err: error }, 'the turns of an address or proxy could not be decided')
    endWith(call, statusOf(error))
  }
}

function leaveOnRevocation(
  { registrations }: TakeTurnsDeps,
  call: AgentCall<TakeTurnsResponse>,
  { enrolment }: Caller,
): () => void {
  if (enrolment === undefined) return () => undefined
  return registrations.add({
    enrolment,
    command(command) {
      if (command === 'leave') endWith(call, REVOKED)
    },
  })
}

/** @throws ContractViolation when the request breaks the contract. */
function askOf(request: TakeTurnsRequest, agent_id: string): AgentAsk {
  const parsed = TurnsRequest.safeParse(request)
  if (!parsed.success) throw new ContractViolation(`an invalid request for turns: ${parsed.error.message}`)
  const { waiting, canary_ended: canaryEnded, reports } = parsed.data
  return { agent_id, limits: limitsOf(parsed.data), waiting, canaryEnded, reports: reports.map(reportOf) }
}

function limitsOf({
  first_per_minute: start,
  most_per_minute: most,
  rest_seconds,
}: z.infer<typeof TurnsRequest>): ExitLimits {
  const restMs = rest_seconds * 1_000
  return start === 0 ? { restMs } : { pace: { start, most: Math.max(start, most) }, restMs }
}

function reportOf({
  started_ms_ago,
  retry_after_ms: retryAfterMs,
  ...report
}: z.infer<typeof AnswerReport>): AgentReport {
  return { ...report, retryAfterMs, startedAt: monotonicNow() - started_ms_ago }
}

function responseOf(request: Pick<TakeTurnsRequest, 'ask' | 'proxy_digest'>, grant: Grant): TakeTurnsResponse {
  const now = monotonicNow()
  const { turns, isCanary, isFree, rest, refusedAt, nextAt, askAt } = grant
  return {
    ask: request.ask,
    proxy_digest: request.proxy_digest,
    turns_in_ms: turns.map((at) => at - now),
    canary: isCanary,
    free: isFree,
    rest: rest && { reason: rest.reason, from_ms: rest.from - now, until_ms: rest.until - now },
    refused_in_ms: refusedAt === 0 ? undefined : refusedAt - now,
    next_in_ms: nextAt - now,
    ask_in_ms: askAt - now,
  }
}
