import type { Exit } from '../exits/exit.ts'
import { classifyFault, MapFailed, type MapFault } from '../session/fault.ts'
import type { MapSession } from '../session/identity.ts'
import { type ClimbDeps, type Climbed, climbOn, isRefusal, type Question } from './climb.ts'

/** The ladder of one task. */
export type Ladder = { climb<Answer>(question: Question<Answer>): Promise<Climbed<Answer>> }

/** Exits on which one question is asked, dead proxies not counted. */
const MAX_EXITS = 3

/**
 * A ladder that climbs only for content: on one exit from the rung that worked last upwards, when a rung gives nothing
 * usable or less than everything. An exit that refuses is asked nothing more on any rung; another one is asked instead.
 * `climb` throws MapFailed with the most telling fault when no exit gave anything.
 */
export function createLadder(deps: ClimbDeps): Ladder {
  return { climb: (question) => climb(deps, question) }
}

async function climb<Answer>(deps: ClimbDeps, question: Question<Answer>): Promise<Climbed<Answer>> {
  const { sessions, signal } = deps
  const faults: MapFailed[] = []
  const tried = new Set<Exit>()
  for (let asked = 0; asked < MAX_EXITS; ) {
    const session = await nextSession(deps, tried, faults)
    if (!session) break
    const climbed = await climbOn(deps, session, question, faults)
    if (climbed) {
      sessions.ended(false)
      return climbed
    }
    signal.throwIfAborted()
    const fault = faults.at(-1)?.fault ?? 'broken'
    if (fault === 'browser') break // no other exit would start it
    tried.add(session.exit)
    sessions.ended(isRefusal(fault))
    if (classifyFault(fault) !== 'failed') asked++
  }
  throw primaryFault(deps, faults)
}

/** Undefined: the faults so far say more than that no other exit is left. */
async function nextSession(
  { sessions }: ClimbDeps,
  tried: ReadonlySet<Exit>,
  faults: readonly MapFailed[],
): Promise<MapSession | undefined> {
  try {
    return await sessions.current(tried)
  } catch (error) {
    if (error instanceof MapFailed && error.fault === 'proxy' && faults.length > 0) return undefined
    throw error
  }
}

/** Most telling first: the agent's own fault leads, since the site may answer where Chromium can be started. */
const FAULT_PRIORITY: readonly MapFault[] = [
  'browser',
  'blocked',
  'consent',
  'forbidden',
  'unavailable',
  'layout',
  'broken',
  'timeout',
  'network',
  'proxy',
]

function primaryFault({ sessions }: ClimbDeps, faults: readonly MapFailed[]): MapFailed {
  const allFailed = faults.every(({ fault }) => classifyFault(fault) === 'failed')
  if (sessions.proxied && allFailed) return new MapFailed('proxy', faults.at(-1))
  const sorted = faults.toSorted((a, b) => FAULT_PRIORITY.indexOf(a.fault) - FAULT_PRIORITY.indexOf(b.fault))
  return sorted[0] ?? new MapFailed('broken')
}
