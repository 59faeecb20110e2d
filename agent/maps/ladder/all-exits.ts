import { type Fault, VERDICTS } from '../answers/verdicts.ts'
import type { Exit } from '../exits/exit.ts'
import { ExitRests } from '../exits/turns.ts'
import { isRefusal, MapFailed } from '../session/fault.ts'
import type { MapSession } from '../session/identity.ts'
import { type ClimbDeps, type Climbed, climbOn, type Question } from './one-exit.ts'

/** The ladder of one task. */
export type Ladder = { climb<Answer>(question: Question<Answer>): Promise<Climbed<Answer>> }

/** On how many exits one request is tried, without dead proxies. */
const MAX_EXITS = 3

/**
 * Creates the ladder of a task. It starts on the rung that worked last on the exit, and climbs only when a rung returns
 * nothing usable or an incomplete answer. After a refusal it sends nothing more through that exit, and continues on
 * another one. `climb` throws MapFailed with the most specific fault when no exit returned anything.
 */
export function createLadder(deps: ClimbDeps): Ladder {
  let climbing = 0
  return {
    async climb(question) {
      climbing++
      try {
        return await climb(deps, question)
      } finally {
        if (--climbing === 0) deps.sessions.releaseSpent()
      }
    },
  }
}

async function climb<Answer>(deps: ClimbDeps, question: Question<Answer>): Promise<Climbed<Answer>> {
  const { sessions, signal } = deps
  const faults: MapFailed[] = []
  const tried = new Set<Exit>()
  for (let answering = 0; answering < MAX_EXITS; ) {
    const session = await nextSession(deps, tried, faults)
    if (!session) break
    const climbed = await climbOn(deps, session, question, faults)
    if (climbed) {
      sessions.ended(false)
      return climbed
    }
    signal.throwIfAborted()
    const fault = faults.at(-1)?.fault ?? 'unknown'
    if (VERDICTS[fault].rung === 'ends') break // no other exit would start it
    tried.add(session.exit)
    sessions.ended(isRefusal(fault))
    if (!isSilent(fault)) answering++
  }
  throw primaryFault(deps, faults)
}

/** Undefined when an earlier fault is more specific than "no exit left". */
async function nextSession(
  { sessions }: ClimbDeps,
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

/** Which fault to report after several exits failed. A fault of the agent first: another agent may do better. */
const TOLD_FIRST: readonly string[] = Object.keys(VERDICTS)

/** Returns whether no answer of the site came. */
const isSilent = (fault: Fault): boolean => VERDICTS[fault].rest === 'failed'

function primaryFault({ sessions }: ClimbDeps, faults: readonly MapFailed[]): MapFailed {
  const allFailed = faults.every(({ fault }) => isSilent(fault))
  if (sessions.proxied && allFailed) return new MapFailed('proxy_failed', faults.at(-1))
  const sorted = faults.toSorted((a, b) => TOLD_FIRST.indexOf(a.fault) - TOLD_FIRST.indexOf(b.fault))
  const [first = new MapFailed('unknown')] = sorted
  const refusals = faults.filter(({ fault, cause }) => isRefusal(fault) && !(cause instanceof ExitRests)).length
  if (refusals >= MAX_EXITS) return new MapFailed(first.fault, first, { ...first.details, everywhere: true })
  // Without a proxy of the user, Chromium means the agent's own proxy, which could not reach the site.
  return first.fault === 'proxy_failed' && !sessions.proxied ? new MapFailed('network', first) : first
}
