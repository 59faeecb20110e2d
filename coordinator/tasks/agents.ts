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
type ForAgents = Pick<TaskDocument, 'demo' | 'proxied'>

/** What the tasks of a job take over from it. */
type OfJob = { _id: string; user_id: string; data: { demo?: boolean | undefined }; proxy_count: number }

/** Which agents may take the tasks of a job. */
export const forAgentsOf = ({ data, proxy_count }: Pick<OfJob, 'data' | 'proxy_count'>): ForAgents => ({
  ...(data.demo && { demo: true }),
  ...(proxy_count > 0 && { proxied: true }),
})

/**
 * Returns the fields that all new tasks of one kind of a job have. Those of a demo job go to the simulated city, and not
 * every agent gets those of a job with proxies.
 */
export const newTaskOf = <Kind extends TaskDocument['kind']>(job: OfJob, kind: Kind) => ({
  job_id: job._id,
  user_id: job.user_id,
  kind,
  ...forAgentsOf(job),
})

/** Returns how many tasks like this the agents can run at once. */
export const slotsFor = (agents: readonly TaskAgent[], task: ForAgents): number =>
  agents.filter((agent) => agent.proxies || !task.proxied).reduce((sum, { slots }) => sum + slots, 0)

/** Whether one of the agents may claim a task now, whose refusals still hold. */
export const isClaimable = (agents: readonly TaskAgent[], task: ForAgents & Pick<TaskDocument, 'refused'>): boolean =>
  task.demo === true ||
  agents.some(({ id, exit, proxies }) => (proxies || !task.proxied) && !isRefused(task, [id, exit]))
