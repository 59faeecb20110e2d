import type { Db } from 'mongodb'
import { z } from 'zod'
import { createAgentActivity, type WorkAt } from '../fleet/activity.ts'
import { presentTask } from '../jobs/tasks/present.ts'
import { JobTask } from '../jobs/tasks/schema.ts'
import { tasksOfAgent } from '../tasks/overview.ts'
import { fleetNames } from './fleet-names.ts'

const count = z.int().min(0)

const Work = z.object({
  at: z.iso.datetime().describe('when the hour or minute begins'),
  places: count.describe('stored places'),
  visited: count.describe('places and pages that agents have ended with'),
  blocked: count.describe('those of them that the map site refused'),
  refused_tasks: count.describe('tasks that waited because the map site refused them'),
})

const workExample = { at: '2026-03-01T12:00:00.000Z', places: 812, visited: 830, blocked: 3, refused_tasks: 1 }

export const FleetActivity = z.object({ hours: z.array(Work) }).meta({
  id: 'FleetActivity',
  description: 'The work of the fleet in the hours of the last week, oldest first. Hours without work are left out.',
  examples: [{ hours: [workExample] }],
})

export const AgentActivity = z
  .object({
    minutes: z.array(Work).describe('its work in the minutes of the last hour, oldest first'),
    tasks: z.array(JobTask.extend({ job_id: z.uuid() })).describe('those that it runs, and the last that it ended'),
  })
  .meta({
    id: 'AgentActivity',
    description: 'What an agent did in the last hour. Minutes without work are left out.',
    examples: [{ minutes: [workExample], tasks: [] }],
  })

const presentWork = ({ at, stored: places, ended: visited, blocked, refused: refused_tasks }: WorkAt) => ({
  at: at.toISOString(),
  places,
  visited,
  blocked,
  refused_tasks,
})

/** Returns the work of the fleet by hours. */
export const fleetActivity = async (db: Db): Promise<z.infer<typeof FleetActivity>> => ({
  hours: (await createAgentActivity(db).hours()).map(presentWork),
})

/** Returns the work of an agent process by minutes, and its latest tasks. */
export async function agentActivity(db: Db, agent_id: string): Promise<z.infer<typeof AgentActivity>> {
  const [minutes, tasks] = await Promise.all([createAgentActivity(db).minutesOf(agent_id), tasksOfAgent(db, agent_id)])
  const names = await fleetNames(db, tasks)
  return {
    minutes: minutes.map(presentWork),
    tasks: tasks.map((task) => ({ ...presentTask(task, names), job_id: task.job_id })),
  }
}
