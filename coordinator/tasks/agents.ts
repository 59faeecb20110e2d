import type { TaskDocument } from './documents.ts'
import { isRefused } from './snooze.ts'

/** A connected agent that takes tasks. */
export type TaskAgent = {
  id: string
  /** The id of its own exit. */
  exit: string
  /** How many tasks it runs at once. */
  slots: number
  proxies: boolean
}

/**
 * What decides which agents may take a task. The simulated city takes the tasks of demo jobs, and no agent is needed.
 */
export type ForAgents = Pick<TaskDocument, 'demo' | 'proxied'>

/** Returns how many tasks like this the agents can run at once. */
export const slotsFor = (agents: readonly TaskAgent[], task: ForAgents): number =>
  agents.filter((agent) => agent.proxies || !task.proxied).reduce((sum, { slots }) => sum + slots, 0)

/** Whether one of the agents may claim a task now, whose refusals still hold. */
export const isClaimable = (agents: readonly TaskAgent[], task: ForAgents & Pick<TaskDocument, 'refused'>): boolean =>
  task.demo === true ||
  agents.some(({ id, exit, proxies }) => (proxies || !task.proxied) && !isRefused(task, [id, exit]))
