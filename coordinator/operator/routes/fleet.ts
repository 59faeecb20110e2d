import type { Db } from 'mongodb'
import { z } from 'zod'
import { createIdentities } from '../../fleet/identities.ts'
import { AppError } from '../../http/errors.ts'
import { queryInteger, uuid } from '../../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { AGENT_COMMANDS, Agent, AgentName, COMMAND_TEXTS, commandAgent, listAgents } from '../agents.ts'
import { DeadTask, listDeadTasks } from '../dead-tasks.ts'
import { Diagnosis, diagnose } from '../doctor/diagnosis.ts'
import { type FactSources, gatherFacts } from '../doctor/facts.ts'
import { Queue, queueOf } from '../queue.ts'

const AgentList = z
  .object({ agents: z.array(Agent) })
  .meta({ id: 'AgentList', description: 'The fleet, by name.', examples: [{ agents: Agent.meta()?.examples ?? [] }] })

const name = AgentName.describe('the name of the agent')
const EnrolAgentRequest = z
  .strictObject({ name })
  .meta({ id: 'EnrolAgentRequest', description: 'The agent to enrol.', examples: [{ name: 'home' }] })

const EnrolledAgent = z
  .object({ name: z.string(), token: z.string().describe('its AGENT_TOKEN, shown only once') })
  .meta({
    id: 'EnrolledAgent',
    description: 'An agent with its own token.',
    examples: [{ name: 'home', token: 'agt_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz' }],
  })

const DeadTaskList = z.object({ tasks: z.array(DeadTask) }).meta({
  id: 'DeadTaskList',
  description: 'Tasks that failed in all their attempts, latest first.',
  examples: [{ tasks: DeadTask.meta()?.examples ?? [] }],
})

const tags = ['operators: fleet']

export type FleetRoutesOptions = { db: Db; sources: FactSources }

/** Registers the operator routes of agents, the queue, the diagnosis and failed tasks. */
export async function fleetRoutes(app: Server, { db, sources }: FleetRoutesOptions): Promise<void> {
  agentRoutes(app, db)
  queueRoutes(app, sources)
  deadTaskRoute(app, db)
}

function agentRoutes(app: Server, db: Db): void {
  const listed = { 200: jsonResponse(AgentList, 'The fleet'), ...errorResponses(403) }
  const list = {
    tags,
    operationId: 'listAgents',
    summary: 'List the agents of the last week and all enrolled agents',
    response: listed,
  }
  app.get('/agents', { schema: list }, async () => ({ agents: await listAgents(db) }))

  const enrolled = { 201: jsonResponse(EnrolledAgent, 'The agent and its token'), ...errorResponses(403, 409) }
  const enrol = {
    tags,
    operationId: 'enrolAgent',
    summary: 'Enrol an agent and create its token',
    body: EnrolAgentRequest,
    response: enrolled,
  }
  app.post('/agents', { schema: enrol }, async ({ body }, reply) =>
    reply.code(201).send({ name: body.name, token: await createIdentities(db).enrol(body.name) }),
  )

  for (const command of AGENT_COMMANDS) {
    const given = { 204: noContent('Takes effect within 2 s'), ...errorResponses(403, 404, 422) }
    const { summary } = COMMAND_TEXTS[command]
    app.post(
      `/agents/:name/${command}`,
      { schema: { tags, operationId: `${command}Agent`, summary, params: z.object({ name }), response: given } },
      async ({ params }, reply) => {
        await commandAgent(db, params.name, command)
        return reply.code(204).send()
      },
    )
  }
}

function queueRoutes(app: Server, sources: FactSources): void {
  const counted = { 200: jsonResponse(Queue, 'The backlog'), ...errorResponses(403) }
  app.get(
    '/queue',
    { schema: { tags, operationId: 'getQueue', summary: 'Get the backlog of jobs and tasks', response: counted } },
    async () => {
      const queue = queueOf(await gatherFacts(sources))
      if (!queue) throw new AppError('unavailable', 'The database does not answer. Try again soon.')
      return queue
    },
  )

  const diagnosed = { 200: jsonResponse(Diagnosis, 'The diagnosis'), ...errorResponses(403) }
  const doctor = {
    tags,
    operationId: 'getDiagnosis',
    summary: 'Diagnose the deployment',
    response: diagnosed,
  }
  app.get('/doctor', { schema: doctor }, async () => diagnose(await gatherFacts(sources)))
}

function deadTaskRoute(app: Server, db: Db): void {
  const query = z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'the largest number to return' }),
    job_id: uuid.optional().describe('only tasks of this job'),
  })
  const dead = { 200: jsonResponse(DeadTaskList, 'The tasks, latest first'), ...errorResponses(400, 403, 422) }
  const listDead = {
    tags,
    operationId: 'listDeadTasks',
    summary: 'List tasks that failed in all their attempts',
    querystring: query,
    response: dead,
  }
  app.get('/tasks/dead', { schema: listDead }, async ({ query }) => ({ tasks: await listDeadTasks(db, query) }))
}
