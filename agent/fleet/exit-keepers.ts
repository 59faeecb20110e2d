import type { ClientDuplexStream } from '@grpc/grpc-js'
import type { TakeTurnsRequest, TakeTurnsResponse } from '@placefleet/proto/fleet'
import { REST_REASONS, type Rest } from '@placefleet/shared/exits/rules'
import type { Grant } from '@placefleet/shared/exits/turns'
import { setNewest } from '@placefleet/shared/newest'
import { proxyDigest } from '@placefleet/shared/proxy-url'
import { monotonicNow } from '@placefleet/shared/timing'
import { z } from 'zod'
import type { ExitAsk, ExitReport, KeeperFor } from '../maps/requests/keeper.ts'
import type { AgentExitLimits } from '../maps/requests/turns.ts'
import type { Coordinator } from './coordinator.ts'

type ExitKeepers = { keeperFor: KeeperFor; close(): void }

type ExitKeepersDeps = {
  readonly coordinator: Pick<Coordinator, 'takeTurns'>
  readonly agent_id: string
  readonly limits: AgentExitLimits
}

/** As many as the agent remembers exits. */
const MOST_FOLLOWED = 10_000

type Stream = ClientDuplexStream<TakeTurnsRequest, TakeTurnsResponse>

/** They share one stream, which the first ask opens, and the next one after it broke. */
export function createExitKeepers({ coordinator, agent_id, limits }: ExitKeepersDeps): ExitKeepers {
  const pending = new Map<number, PromiseWithResolvers<Grant>>()
  const listeners = new Map<string, (grant: Grant) => void>()
  let stream: Stream | undefined
  let last = 0

  const open = (): Stream => {
    const opened = coordinator.takeTurns()
    const over = (error: unknown) => {
      if (stream !== opened) return
      stream = undefined
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    opened.on('data', (response: TakeTurnsResponse) => {
      const grant = grantOf(response)
      if (response.ask === 0) return listeners.get(response.proxy_digest)?.(grant)
      pending.get(response.ask)?.resolve(grant)
      pending.delete(response.ask)
    })
    opened.on('error', over)
    opened.on('end', () => over(new Error('the coordinator ended the stream of turns')))
    return opened
  }
  return {
    keeperFor(proxy) {
      const proxy_digest = proxy === undefined ? '' : proxyDigest(proxy)
      return {
        take(ask) {
          const answer = Promise.withResolvers<Grant>()
          stream ??= open()
          const asked = stream
          last = (last % MOST_ASKS) + 1
          pending.set(last, answer)
          asked.write({ agent_id, ask: last, proxy_digest, ...limitsOf(limits), ...requestOf(ask) })
          // A coordinator that lives and does not answer: the next ask opens another stream, perhaps to another one.
          const timer = setTimeout(() => asked.cancel(), ANSWER_WITHIN_MS)
          return answer.promise.finally(() => clearTimeout(timer))
        },
        follow(listener) {
          setNewest(listeners, proxy_digest, listener, MOST_FOLLOWED)
        },
      }
    },
    close() {
      stream?.on('error', () => undefined).cancel()
    },
  }
}

/** Coordinators gather asks for two seconds before they answer. */
const ANSWER_WITHIN_MS = 10_000

/** The numbers of asks begin again after as many. */
const MOST_ASKS = 2 ** 31

const limitsOf = ({ pace, restMs }: AgentExitLimits) => ({
  first_per_minute: pace?.start ?? 0,
  most_per_minute: pace?.most ?? 0,
  rest_seconds: restMs / 1_000,
})

const requestOf = ({ waiting, reports, canaryEnded: canary_ended }: ExitAsk) => {
  const now = monotonicNow()
  const reportOf = ({ startedAt, retryAfterMs: retry_after_ms, ...report }: ExitReport) => ({
    ...report,
    started_ms_ago: Math.max(0, now - startedAt),
    retry_after_ms,
  })
  return { waiting, reports: reports.map(reportOf), canary_ended }
}

const Reason = z.enum(REST_REASONS).catch('blocked') // a reason of a newer coordinator

function grantOf({ turns_in_ms, canary, free, rest, ...times }: TakeTurnsResponse): Grant {
  const now = monotonicNow()
  const { refused_in_ms, next_in_ms, ask_in_ms } = times
  return {
    turns: turns_in_ms.map((ms) => now + ms),
    isCanary: canary,
    isFree: free,
    rest: rest && restOf(rest, now),
    refusedAt: refused_in_ms === undefined ? 0 : now + refused_in_ms,
    nextAt: now + next_in_ms,
    askAt: now + ask_in_ms,
  }
}

const restOf = ({ reason, from_ms, until_ms }: NonNullable<TakeTurnsResponse['rest']>, now: number): Rest => ({
  reason: Reason.parse(reason),
  from: now + from_ms,
  until: now + until_ms,
})
