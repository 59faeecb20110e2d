import { randomUUID } from 'node:crypto'
import { type ExitLimits, type ExitState, mostCareful, newExit, stoppingRest } from '@placefleet/shared/exits/rules'
import { type Ask, answerAsks, type Grant, type Report } from '@placefleet/shared/exits/turns'
import type { ExitDocument, ExitId, ExitUser } from './documents.ts'

/** What an agent asks of an exit. */
export type AgentAsk = Omit<Ask, 'reports' | 'hadTurns'> & {
  readonly agent_id: string
  readonly limits: ExitLimits
  readonly reports: readonly AgentReport[]
}

/** `verdict`: the agent's name for what the answer means. */
export type AgentReport = Report & { readonly verdict: string }

/** The next document of an exit, and the grants in the order of the asks. */
type Decision = { readonly next: ExitDocument; readonly grants: readonly Grant[] }

type DecisionMoment = { readonly now: Date; readonly aheadMs: number; readonly random: () => number }

const DAY_MS = 24 * 3_600_000
/** An agent that did not ask for this long does not share the exit any more. */
const USER_MS = 600_000
const MOST_USERS = 1_000
const MOST_VERDICTS = 50

/**
 * Decides what the agents of an exit may do. The one that was served longest ago comes first, and the most careful of
 * their limits holds for all.
 */
export function decide(
  exit: ExitId,
  before: ExitDocument | undefined,
  asks: readonly [AgentAsk, ...AgentAsk[]],
  { now, aheadMs, random }: DecisionMoment,
): Decision {
  const users = usersAfter(before?.users ?? [], asks, now)
  const servedAt = new Map(users.map(({ agent_id, served_at }) => [agent_id, served_at.getTime()]))
  const order = asks.toSorted((a, b) => (servedAt.get(a.agent_id) ?? 0) - (servedAt.get(b.agent_id) ?? 0))
  const limits = mostCareful([asks[0].limits, ...users.map((user) => user.limits)])
  const moment = { now: now.getTime(), aheadMs, random, isProxy: exit.kind === 'proxy' }
  const trusted = order.map((ask) => ({ ...ask, hadTurns: (servedAt.get(ask.agent_id) ?? 0) > 0 }))
  const { state, grants, restedBy } = answerAsks(before?.state ?? newExit(limits), trusted, limits, moment)
  const rested_by = state.rest && (restedBy === undefined ? before?.rested_by : order[restedBy]?.agent_id)
  const byAsk = new Map(order.map((ask, nth) => [ask, grants[nth]]))
  const served = new Set(order.filter((ask) => (byAsk.get(ask)?.turns.length ?? 0) > 0).map(({ agent_id }) => agent_id))
  const { id: _id, kind, name } = exit
  return {
    next: {
      _id,
      kind,
      ...(name !== undefined && { name }),
      state,
      ...(rested_by !== undefined && { rested_by }),
      users: users.map((user) => (served.has(user.agent_id) ? { ...user, served_at: now } : user)),
      ...countsAfter(before, asks, now),
      used_at: now,
      revision: randomUUID(),
    },
    grants: asks.flatMap((ask) => byAsk.get(ask) ?? []),
  }
}

function usersAfter(before: readonly ExitUser[], asks: readonly AgentAsk[], now: Date): ExitUser[] {
  const users = new Map(before.map((user) => [user.agent_id, user]))
  for (const { agent_id, limits } of asks) {
    const served_at = users.get(agent_id)?.served_at ?? new Date(0)
    users.set(agent_id, { agent_id, limits, seen_at: now, served_at })
  }
  const recent = [...users.values()].filter(({ seen_at }) => now.getTime() - seen_at.getTime() < USER_MS)
  return recent.toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime()).slice(0, MOST_USERS)
}

/** Adds the verdicts that were reported. The counts begin again after a day. */
function countsAfter(
  before: ExitDocument | undefined,
  asks: readonly AgentAsk[],
  now: Date,
): Pick<ExitDocument, 'verdicts' | 'counted_since' | 'last_verdict'> {
  const isOld = before === undefined || now.getTime() - before.counted_since.getTime() > DAY_MS
  const counts = new Map(Object.entries(isOld ? {} : before.verdicts))
  const reports = asks.flatMap((ask) => ask.reports)
  for (const { verdict, count } of reports) {
    if (counts.has(verdict) || counts.size < MOST_VERDICTS) counts.set(verdict, (counts.get(verdict) ?? 0) + count)
  }
  const last_verdict = reports.at(-1)?.verdict ?? before?.last_verdict
  return {
    verdicts: Object.fromEntries(counts),
    counted_since: isOld ? now : before.counted_since,
    ...(last_verdict !== undefined && { last_verdict }),
  }
}

/** Returns the agents that used an exit in the last ten minutes. */
export const usersAt = ({ users }: ExitDocument, now: Date): string[] =>
  users.filter(({ seen_at }) => now.getTime() - seen_at.getTime() < USER_MS).map(({ agent_id }) => agent_id)

/** Returns the requests per minute that an exit may send now; 0 is without a limit. */
export const ratePerMinute = ({ gapMs }: ExitState): number => (gapMs === 0 ? 0 : Math.round(600_000 / gapMs) / 10)

/** Whether two states differ in a rest that stops requests. A proxy that failed may be used. */
export function hasOtherRest(before: ExitState | undefined, after: ExitState): boolean {
  const [rest, next] = [stoppingRest(before?.rest), stoppingRest(after.rest)]
  return rest?.from !== next?.from || rest?.until !== next?.until
}
