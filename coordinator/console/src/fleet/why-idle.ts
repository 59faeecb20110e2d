import type { Agent } from './fleet-queries.ts'

/** Why an agent holds no task. */
export type IdleReason = 'draining' | 'silent' | 'resting' | 'nothing_waits' | 'about_to_claim'

/**
 * Why an agent that is there holds no task; undefined when it holds one, or is not there.
 * @param waiting how many tasks wait for an agent; undefined while this is not known.
 */
export function whyIdle(agent: Agent, waiting: number | undefined): IdleReason | undefined {
  const { state, running, resting = [] } = agent
  if (running > 0) return undefined
  if (state === 'draining' || state === 'silent') return state
  if (state !== 'connected' || waiting === undefined) return undefined
  if (resting.some(({ count }) => count > 0)) return 'resting'
  return waiting === 0 ? 'nothing_waits' : 'about_to_claim'
}
