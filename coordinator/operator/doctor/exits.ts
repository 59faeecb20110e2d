import type { Exit } from '../exits.ts'
import { counted } from './words.ts'

const isStopped = ({ resting_reason }: Exit): boolean => resting_reason !== undefined && resting_reason !== 'failed'

/** The check of the exits: which agents share an own address, and which rest. Many agents share each proxy. */
export function exitsCheck(exits: readonly Exit[]) {
  const resting = exits.filter(({ resting_until }) => resting_until !== undefined)
  const shared = exits.filter(({ kind, agents }) => kind === 'direct' && agents.length > 1).map(sharing)
  const rests = resting
    .slice(0, MOST_NAMED)
    .map((exit) => `${nameOf(exit)} is paused (${exit.resting_reason}) until ${exit.resting_until}`)
  const detail = [`${exits.length} known, ${resting.length} paused`, ...rests, ...shared.slice(0, MOST_NAMED)].join(
    '; ',
  )
  return { name: 'addresses', ok: true, detail, ...(exits.some(isStopped) && { warning: true }) }
}

const MOST_NAMED = 5

const nameOf = ({ name, id, kind }: Exit): string => name ?? `${kind} ${id}`

const BY = {
  name: 'by their EXIT_NAME',
  address: 'seen from one address',
  forwarded: 'by the address that a trusted proxy names',
  network: 'seen from private addresses',
}

function sharing(exit: Exit): string {
  const { agents, known_by } = exit
  const named = agents.slice(0, MOST_NAMED).join(', ')
  const all = agents.length > MOST_NAMED ? `${named} and ${agents.length - MOST_NAMED} more` : named
  return `${counted(agents.length, 'agent')} share ${nameOf(exit)}${known_by ? `, ${BY[known_by]}` : ''}: ${all}`
}

/** Says what to do about exits that rest, and about agents that count as one exit although they may have several. */
export function exitsAdvice(exits: readonly Exit[]): string[] {
  const own = exits.filter((exit) => exit.kind === 'direct' && exit.agents.length > 0)
  const isIdle = own.length > 0 && own.every(isStopped)
  const isGuess = own.some(({ known_by, agents }) => known_by === 'network' && agents.length > 1)
  return [...(isIdle ? [ALL_REST] : []), ...(isGuess ? [GUESSED] : [])]
}

const ALL_REST =
  'Every own address of the agents is paused. Jobs without proxies wait until then; agents at other addresses, or proxies, go on.'

const GUESSED =
  'All private addresses of agents count as one and share its pace. If they reach the map site from different public addresses, give each its EXIT_NAME.'
