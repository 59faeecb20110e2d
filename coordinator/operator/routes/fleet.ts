import type { AllowHosts } from '@placefleet/shared/egress/target'
import { PROXY_FORMS, Proxies } from '@placefleet/shared/proxy-url'
import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type ProxyPool, removePooled } from '../../exits/pool.ts'
import { createIdentities } from '../../fleet/identities.ts'
import { AppError } from '../../http/errors.ts'
import { queryInteger, uuid } from '../../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { readProxies } from '../../jobs/proxies.ts'
import { type AgentStart, agentCommand, agentEnvironment } from '../agent-start.ts'
import { AGENT_COMMANDS, Agent, AgentName, COMMAND_TEXTS, commandAgent, listAgents } from '../agents.ts'
import { DeadTask, listDeadTasks } from '../dead-tasks.ts'
import { Diagnosis, diagnose } from '../doctor/diagnosis.ts'
import { readState, type StateSources } from '../doctor/state.ts'
import { askForCheck, Exit, listExits, wakeExit } from '../exits.ts'
import { Queue, queueOf } from '../queue.ts'
import { listUnknownAnswers, ShownUnknownAnswer } from '../unknown-answers.ts'

const AgentList = z
  .object({ agents: z.array(Agent) })
  .meta({ id: 'AgentList', description: 'The fleet, by name.', examples: [{ agents: Agent.meta()?.examples ?? [] }] })

const EXAMPLE_PROXY = 'http://user:password@proxy.example.com:8080'

const ExitList = z.object({ exits: z.array(Exit) }).meta({
  id: 'ExitList',
  description: 'The exits, resting ones first.',
  examples: [{ exits: Exit.meta()?.examples ?? [] }],
})

const AddExitsRequest = z
  .strictObject({ proxies: Proxies.min(1).describe(PROXY_FORMS) })
  .meta({ id: 'AddExitsRequest', description: 'Proxies of the operator.', examples: [{ proxies: [EXAMPLE_PROXY] }] })

const AddedExits = z
  .object({ ids: z.array(z.string()).describe('the ids of their exits, in the order of the request') })
  .meta({ id: 'AddedExits', description: 'Added proxies.', examples: [{ ids: ['7f0c2a91d3b84e5566aa'] }] })

const name = AgentName.describe('the name of the agent')
const EnrolAgentRequest = z
  .strictObject({ name })
  .meta({ id: 'EnrolAgentRequest', description: 'The agent to enrol.', examples: [{ name: 'home' }] })

const EXAMPLE_TOKEN = 'agt_Ab3dEfGhIjKlMnOpQrStUvWxYz0123456x9Qz'

const EnrolledAgent = z
  .object({
    name: z.string(),
    token: z.string().describe('its AGENT_TOKEN, shown only once'),
    environment: z
      .string()
      .describe('the settings of the agent, a line each: save them as `NAME.env`, and add the address of NATS'),
    command: z.string().describe('starts the agent in Docker with the settings in `NAME.env`'),
  })
  .meta({
    id: 'EnrolledAgent',
    description: 'An agent with its own token.',
    examples: [presentEnrolled({ name: 'home', token: EXAMPLE_TOKEN, coordinator: 'fleet.example:50051' })],
  })

const DeadTaskList = z.object({ tasks: z.array(DeadTask) }).meta({
  id: 'DeadTaskList',
  description: 'Tasks that failed in all their attempts, latest first.',
  examples: [{ tasks: DeadTask.meta()?.examples ?? [] }],
})

const UnknownAnswerList = z.object({ answers: z.array(ShownUnknownAnswer) }).meta({
  id: 'UnknownAnswerList',
  description: 'Answers of the map site that no agent understood, latest first.',
  examples: [{ answers: ShownUnknownAnswer.meta()?.examples ?? [] }],
})

const tags = ['operators: fleet']

/** The host of the coordinators, unless the request names it, and their port for agents. */
export type AgentPort = { publicUrl: string | undefined; grpcPort: number }

/** The pool of proxies, and the hosts in private networks that it may have. */
export type PoolOptions = { proxyPool: Pick<ProxyPool, 'add'>; allowHosts: AllowHosts }

type FleetRoutesOptions = PoolOptions & { db: Db; sources: StateSources; agentPort: AgentPort }

/** Registers the operator routes of agents, exits, the queue, the diagnosis and failed tasks. */
export async function fleetRoutes(app: Server, options: FleetRoutesOptions): Promise<void> {
  const { db, sources, agentPort } = options
  agentRoutes(app, db, agentPort)
  exitRoutes(app, db, options)
  queueRoutes(app, sources)
  deadTaskRoute(app, db)
  unknownAnswerRoute(app, db)
}

function agentRoutes(app: Server, db: Db, agentPort: AgentPort): void {
  const listed = { 200: jsonResponse(AgentList, 'The fleet') }
  const list = {
    tags,
    operationId: 'listAgents',
    summary: 'List the agents of the last week and all enrolled agents',
    response: listed,
  }
  app.get('/agents', { schema: list }, async () => ({ agents: await listAgents(db) }))

  const enrolled = { 201: jsonResponse(EnrolledAgent, 'The agent and its token'), ...errorResponses(409) }
  const enrol = {
    tags,
    operationId: 'enrolAgent',
    summary: 'Enrol an agent and create its token',
    body: EnrolAgentRequest,
    response: enrolled,
  }
  app.post('/agents', { schema: enrol }, async (request, reply) => {
    const { name } = request.body
    const coordinator = coordinatorFor(request, agentPort)
    const token = await createIdentities(db).enrol(name)
    return reply.code(201).send(presentEnrolled({ name, token, coordinator }))
  })

  for (const command of AGENT_COMMANDS) {
    const response = { 204: noContent('Takes effect within 2 s') }
    const { summary } = COMMAND_TEXTS[command]
    app.post(
      `/agents/:name/${command}`,
      { schema: { tags, operationId: `${command}Agent`, summary, params: z.object({ name }), response } },
      async ({ params }, reply) => {
        await commandAgent(db, params.name, command)
        return reply.code(204).send()
      },
    )
  }
}

function presentEnrolled(start: AgentStart) {
  const { name, token } = start
  return { name, token, environment: agentEnvironment(start), command: agentCommand(start) }
}

/** Returns the address that agents connect to: the host of this API with the port for agents. */
function coordinatorFor({ hostname }: FastifyRequest, { publicUrl, grpcPort }: AgentPort): string {
  return `${publicUrl === undefined ? hostname : new URL(publicUrl).hostname}:${grpcPort}`
}

function exitRoutes(app: Server, db: Db, { proxyPool, allowHosts }: PoolOptions): void {
  const list = {
    tags,
    operationId: 'listExits',
    summary: 'List the exits of the fleet: pace, rests and verdicts of each proxy and own address',
    response: { 200: jsonResponse(ExitList, 'The exits') },
  }
  app.get('/exits', { schema: list }, async () => ({ exits: await listExits(db) }))

  const added = { 201: jsonResponse(AddedExits, 'The ids of the proxies'), ...errorResponses(409) }
  const add = {
    tags,
    operationId: 'addExits',
    summary: 'Add proxies to the pool, for jobs that bring none; those that are in it change nothing',
    body: AddExitsRequest,
    response: added,
  }
  app.post('/exits', { schema: add }, async ({ body: { proxies } }, reply) => {
    const urls = readProxies(proxies, allowHosts)
    return reply.code(201).send({ ids: await proxyPool.add(urls) })
  })

  const params = z.object({ id: z.string().max(100).describe('the id of the exit') })
  const response = { 204: noContent('An agent begins within ten seconds'), ...errorResponses(409) }
  const check = {
    tags,
    operationId: 'checkExit',
    summary: 'Let an agent check the paths to the map site through its own address; `check` of the exit has the result',
    params,
    response,
  }
  app.post('/exits/:id/check', { schema: check }, async ({ params: { id } }, reply) => {
    await askForCheck(db, id)
    return reply.code(204).send()
  })

  const awake = { 204: noContent('Its agents know within two seconds') }
  const wake = {
    tags,
    operationId: 'wakeExit',
    summary: 'End the rest of an exit, such as after a change of its address; one request goes first',
    params,
    response: awake,
  }
  app.post('/exits/:id/wake', { schema: wake }, async ({ params: { id } }, reply) => {
    await wakeExit(db, id)
    return reply.code(204).send()
  })

  const removed = { 204: noContent('New tasks do not get it') }
  const remove = {
    tags,
    operationId: 'removeExit',
    summary: 'Take a proxy out of the pool',
    params,
    response: removed,
  }
  app.delete('/exits/:id', { schema: remove }, async ({ params: { id } }, reply) => {
    if ((await removePooled(db, [id])) === 0) throw new AppError('not_found', 'The pool has no such proxy.')
    return reply.code(204).send()
  })
}

function queueRoutes(app: Server, sources: StateSources): void {
  const counted = { 200: jsonResponse(Queue, 'The backlog') }
  app.get(
    '/queue',
    { schema: { tags, operationId: 'getQueue', summary: 'Get the backlog of jobs and tasks', response: counted } },
    async () => {
      const queue = queueOf(await readState(sources))
      if (!queue) throw new AppError('unavailable', 'The database does not answer. Try again soon.')
      return queue
    },
  )

  const diagnosed = { 200: jsonResponse(Diagnosis, 'The diagnosis') }
  const doctor = {
    tags,
    operationId: 'getDiagnosis',
    summary: 'Diagnose the deployment',
    response: diagnosed,
  }
  app.get('/doctor', { schema: doctor }, async () => diagnose(await readState(sources)))
}

function unknownAnswerRoute(app: Server, db: Db): void {
  const listed = { 200: jsonResponse(UnknownAnswerList, 'The answers') }
  const list = {
    tags,
    operationId: 'listUnknownAnswers',
    summary: 'List the last answers of the map site that no agent understood',
    response: listed,
  }
  app.get('/unknown-answers', { schema: list }, async () => ({ answers: await listUnknownAnswers(db) }))
}

function deadTaskRoute(app: Server, db: Db): void {
  const query = z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'the largest number to return' }),
    job_id: uuid.optional().describe('only tasks of this job'),
  })
  const dead = { 200: jsonResponse(DeadTaskList, 'The tasks, latest first'), ...errorResponses(422) }
  const listDead = {
    tags,
    operationId: 'listDeadTasks',
    summary: 'List tasks that failed in all their attempts',
    querystring: query,
    response: dead,
  }
  app.get('/tasks/dead', { schema: listDead }, async ({ query }) => ({ tasks: await listDeadTasks(db, query) }))
}
