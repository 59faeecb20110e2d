import { z } from 'zod'
import { createAgentActivity, type WorkAt } from '../../fleet/activity.ts'
import { tasksOfAgent } from '../../tasks/overview.ts'
import { apiOperation, type Operation } from '../operation.ts'
import { AnyTask, presentTasks } from '../tasks.ts'

const count = z.int().min(0)

const Work = z.object({
  at: z.iso.datetime().describe('when the hour or minute begins'),
  places: count.describe('stored places'),
  visited: count.describe('places and pages that agents have ended with'),
  blocked: count.describe('those of them that the map site refused'),
  refused_tasks: count.describe('tasks that waited because the map site refused them'),
})

const workExample = { at: '2026-03-01T12:00:00.000Z', places: 812, visited: 830, blocked: 3, refused_tasks: 1 }

const FleetActivity = z.object({ hours: z.array(Work) }).meta({
  id: 'FleetActivity',
  description: 'The work of the fleet in the hours of the last week, oldest first. Hours without work are left out.',
  examples: [{ hours: [workExample] }],
})

const AgentActivity = z
  .object({
    minutes: z.array(Work).describe('its work in the minutes of the last hour, oldest first'),
    tasks: z.array(AnyTask).describe('those that it runs, and the last that it ended'),
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

const hours = apiOperation({
  name: 'getFleetActivity',
  method: 'GET',
  path: '/activity',
  topic: 'fleet',
  summary: 'Get the work of the fleet by hours: places, and refusals of the map site',
  answer: FleetActivity,
  meaning: 'The last week',
  run: async ({ db }) => ({ hours: (await createAgentActivity(db).hours()).map(presentWork) }),
})

const ofAgent = apiOperation({
  name: 'getAgentActivity',
  method: 'GET',
  path: '/agents/activity',
  topic: 'fleet',
  summary: 'Get the last hour of an agent',
  query: z.strictObject({
    id: z.string().min(1).max(200).describe('the `id` of the agent in `GET /api/v1/admin/agents`'),
  }),
  answer: AgentActivity,
  meaning: 'The last hour',
  async run({ db }, { id }) {
    const [minutes, tasks] = await Promise.all([createAgentActivity(db).minutesOf(id), tasksOfAgent(db, id)])
    return { minutes: minutes.map(presentWork), tasks: await presentTasks(db, tasks) }
  },
})

export const activityOperations: Operation[] = [hours, ofAgent]
