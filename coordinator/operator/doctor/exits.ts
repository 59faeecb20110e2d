import type { Exit } from '../exits.ts'
import { type Check, type Finding, finding, found } from './findings.ts'

const isStopped = ({ resting_reason }: Exit): boolean => resting_reason !== undefined && resting_reason !== 'failed'

/** The check of the exits: which agents share an own address, and which rest. Many agents share each proxy. */
export function exitsCheck(exits: readonly Exit[]): Check {
  const resting = exits.filter(({ resting_until }) => resting_until !== undefined)
  const shared = exits.filter(({ kind, agents }) => kind === 'direct' && agents.length > 1)
  const findings = [
    finding('addresses', { known: exits.length, paused: resting.length }),
    ...resting.slice(0, MOST_NAMED).map(pause),
    ...shared.slice(0, MOST_NAMED).map(sharing),
  ]
  return found('addresses', findings, exits.some(isStopped) ? { warning: true } : {})
}

const MOST_NAMED = 5

const nameOf = ({ name, id, kind }: Exit): string => name ?? `${kind} ${id}`

function pause(exit: Exit): Finding {
  const { resting_reason: reason = 'unknown', resting_until: until = '' } = exit
  return finding('address_paused', { address: nameOf(exit), reason, until })
}

function sharing(exit: Exit): Finding {
  const { agents, known_by = '' } = exit
  const names = agents.slice(0, MOST_NAMED).join(', ')
  const more = Math.max(0, agents.length - MOST_NAMED)
  return finding('address_shared', { agents: agents.length, address: nameOf(exit), known_by, names, more })
}

/** Says what to do about exits that rest, and about agents that count as one exit although they may have several. */
export function exitsAdvice(exits: readonly Exit[]): Finding[] {
  const own = exits.filter((exit) => exit.kind === 'direct' && exit.agents.length > 0)
  const isIdle = own.length > 0 && own.every(isStopped)
  const isGuess = own.some(({ known_by, agents }) => known_by === 'network' && agents.length > 1)
  return [
    ...(isIdle ? [finding('own_addresses_paused')] : []),
    ...(isGuess ? [finding('private_addresses_count_as_one')] : []),
  ]
}
