import { accountOf } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { IdempotencyHeaders, idempotencyKey, idempotentRequest, keepFingerprint } from '../jobs/idempotency.ts'
import { type ChangeDeps, changeMonitor, checkControl, createMonitor, deleteMonitor } from './change.ts'
import { changesDownloadRoute } from './changes/download.ts'
import { ChangeList, ChangesQuery } from './changes/schema.ts'
import { listChanges } from './changes/store.ts'
import { listMonitors, presentMonitor, presentRun } from './present.ts'
import { runNow } from './run-now.ts'
import {
  ChangeMonitorRequest,
  CreateMonitorRequest,
  Monitor,
  MonitorList,
  MonitorRuns,
  RunsQuery,
  StartedRun,
} from './schema.ts'

const tags = ['monitors']

/** `/monitors`: jobs that are created again and again. */
export async function monitorRoutes(app: Server, deps: ChangeDeps): Promise<void> {
  readRoutes(app, deps)
  changeRoutes(app, deps)
  runRoutes(app, deps)
}

function readRoutes(app: Server, deps: ChangeDeps): void {
  const { monitors } = deps
  const list = {
    tags,
    operationId: 'listMonitors',
    summary: 'List monitors',
    response: { 200: jsonResponse(MonitorList, 'All monitors') },
  }
  app.get('/monitors', { schema: list }, async (request) => ({
    monitors: await listMonitors(deps, accountOf(request).user_id),
  }))

  const get = {
    tags,
    operationId: 'getMonitor',
    summary: 'Get a monitor',
    params: IdParams,
    response: { 200: jsonResponse(Monitor, 'The monitor') },
  }
  app.get('/monitors/:id', { schema: get }, async (request) => {
    const monitor = orNotFound(await monitors.find(accountOf(request).user_id, request.params.id), 'monitor')
    return presentMonitor(deps.runs, monitor)
  })
}

function changeRoutes(app: Server, deps: ChangeDeps): void {
  app.decorateRequest('fingerprint', '')
  const create = {
    tags,
    operationId: 'createMonitor',
    summary: 'Create a monitor',
    description:
      'Each run is billed like a job. A user has at most 50 monitors. The spending limits of the API key that creates a monitor apply to its jobs, also after the key is revoked. ' +
      'With an `Idempotency-Key`, a repeated request within 24 hours creates no second monitor and gets the same one, with the header `Idempotent-Replayed: true`.',
    headers: IdempotencyHeaders,
    body: CreateMonitorRequest,
    response: { 201: jsonResponse(Monitor, 'The monitor'), ...errorResponses(409) },
  }
  app.post('/monitors', { schema: create, preValidation: keepFingerprint }, async (request, reply) => {
    const idempotent = idempotentRequest(request)
    const { monitor, replayed } = await createMonitor(deps, accountOf(request), request.body, idempotent)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(201).send(await presentMonitor(deps.runs, monitor))
  })

  const change = {
    tags,
    operationId: 'updateMonitor',
    summary: 'Change, pause or resume a monitor',
    params: IdParams,
    description: 'A new schedule counts from now on. A job that runs is not affected.',
    body: ChangeMonitorRequest,
    response: { 200: jsonResponse(Monitor, 'The monitor') },
  }
  app.patch('/monitors/:id', { schema: change }, async (request) => {
    await checkControl(deps, accountOf(request), request.params.id)
    const monitor = await changeMonitor(deps, accountOf(request).user_id, request.params.id, request.body)
    return presentMonitor(deps.runs, monitor)
  })

  const remove = {
    tags,
    operationId: 'deleteMonitor',
    summary: 'Delete a monitor',
    params: IdParams,
    description: 'Its jobs and their places stay. A job that runs goes on.',
    response: { 204: noContent('The monitor is gone') },
  }
  app.delete('/monitors/:id', { schema: remove }, async (request, reply) => {
    await checkControl(deps, accountOf(request), request.params.id)
    await deleteMonitor(deps, accountOf(request).user_id, request.params.id)
    return reply.code(204).send()
  })
}

function runRoutes(app: Server, deps: ChangeDeps): void {
  const run = {
    tags,
    operationId: 'runMonitor',
    summary: 'Run a monitor now',
    params: IdParams,
    description:
      'Creates its job at once, beside the schedule, also while the monitor is paused. Billable. One run at a time: `run_in_progress` (409) while another has not ended. ' +
      'With an `Idempotency-Key`, a repeated request within 24 hours begins no second run and gets the same response, with the header `Idempotent-Replayed: true`.',
    headers: IdempotencyHeaders,
    response: { 201: jsonResponse(StartedRun, 'The job is created'), ...errorResponses(402, 409) },
  }
  app.post('/monitors/:id/run', { schema: run }, async (request, reply) => {
    await checkControl(deps, accountOf(request), request.params.id)
    const key = idempotencyKey(request.raw.headersDistinct['idempotency-key'])
    const { job_id, replayed } = await runNow(deps, accountOf(request).user_id, request.params.id, key)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(201).send({ job_id })
  })

  const runs = {
    tags,
    operationId: 'listMonitorRuns',
    summary: 'List the runs of a monitor',
    params: IdParams,
    description: 'Also the runs that were skipped or missed, and why.',
    querystring: RunsQuery,
    response: { 200: jsonResponse(MonitorRuns, 'The latest runs') },
  }
  app.get('/monitors/:id/runs', { schema: runs }, async (request) => {
    const monitor = orNotFound(await deps.monitors.find(accountOf(request).user_id, request.params.id), 'monitor')
    return { runs: (await deps.runs.latest(monitor._id, request.query.limit)).map(presentRun) }
  })

  const changes = {
    tags,
    operationId: 'listMonitorChanges',
    summary: 'List the changes that a monitor found',
    params: IdParams,
    description:
      'Oldest first; `order=desc` lists the newest first. A new place is reported once the monitor knows its area. A place is `gone` when two to five runs in a row missed it and then a direct look does not find it, or when its page says that it is closed.',
    querystring: ChangesQuery,
    response: { 200: jsonResponse(ChangeList, 'Changes') },
  }
  app.get('/monitors/:id/changes', { schema: changes }, async (request) => {
    return listChanges(deps, accountOf(request).user_id, request.params.id, request.query)
  })
  changesDownloadRoute(app, deps)
}
