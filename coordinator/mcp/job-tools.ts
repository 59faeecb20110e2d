import type { McpServer } from '@modelcontextprotocol/server'
import { type Job, SentJobRequest } from '@placefleet/shared/job'
import { isFinal, JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { EstimateRequest } from '../billing/prices/estimate-schema.ts'
import { jobSearch } from '../http/params.ts'
import { parsePart } from '../http/validation-and-serialization.ts'
import { TownSearch } from '../towns/schema.ts'
import type { McpCalls } from './calls.ts'
import { answerWith, type ToolRunner } from './tool.ts'

/** The longest wait of a call in seconds. Many clients abort a call after a minute. */
const LONGEST_WAIT = 45

const READS = { readOnlyHint: true, openWorldHint: false }

export const JobId = z.object({ job_id: z.uuid().describe('id of the job') })

/** Adds the tools that find a town, estimate, create, read, list and cancel jobs, and read the balance. */
export function addJobTools(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  addTownTool(server, calls, run)
  addCreatingTools(server, calls, run)
  addReadingTools(server, calls, run)
  addCancelTool(server, calls, run)
  addBalanceTool(server, calls, run)
}

function addTownTool(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'find_town',
    {
      title: 'Find a town',
      description: 'Finds towns by the beginning of their name. Use one for a job around it: never guess coordinates.',
      inputSchema: z.object({ search: TownSearch }),
      outputSchema: answerWith({
        towns: z.array(z.looseObject({ name: z.string(), lat: z.string(), lon: z.string() })),
      }),
      annotations: READS,
    },
    ({ search }) =>
      run(async () => {
        const towns = await calls.towns(search)
        if (towns.length === 0) {
          return { summary: 'There is no such town.', towns, next_step: 'Try the name in English or its own language.' }
        }
        return {
          summary: `${towns.length} towns, the best match first.`,
          towns: towns.map((town) => ({ ...town, lat: String(town.lat), lon: String(town.lon) })), // as a job takes them
          next_step:
            'Call estimate_job with the lat and lon of the town and a radius in metres, or with its name as near.',
        }
      }),
  )
}

function addCreatingTools(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'estimate_job',
    {
      title: 'Estimate a job',
      description: 'Estimates how many places a job finds and what it costs. The estimate is free.',
      inputSchema: z.strictObject(EstimateRequest.shape),
      outputSchema: answerWith({ places: z.number(), total: z.number(), total_max: z.number() }),
      annotations: READS,
    },
    (request) =>
      run(async () => {
        const { estimate, balance } = await calls.estimate(parsePart(EstimateRequest, request))
        const { places, places_max, total, total_max, description } = estimate
        return {
          summary: description,
          places,
          places_max,
          total,
          total_max,
          balance,
          next_step: `Call create_job with max_cost, for example "${total_max.toFixed(6)}".`,
        }
      }),
  )

  server.registerTool(
    'create_job',
    {
      title: 'Create a job',
      description:
        'Creates a job. The job runs for minutes and spends at most max_cost credits. A call with the same arguments within 24 hours returns the same job.',
      inputSchema: CreateJobInput,
      outputSchema: answerWith({ job_id: z.string(), replayed: z.boolean() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    ({ request_id, ...request }) =>
      run(async () => {
        const { job_id, replayed } = await calls.create(parsePart(SentJobRequest, request), request_id)
        const created = `The job "${request.name}" is created. It costs at most ${request.max_cost} credits.`
        const summary = replayed
          ? `This is the job "${request.name}" that an earlier call created. A new request_id creates another one.`
          : created
        return { summary, job_id, replayed, next_step: `Call get_job with this job_id and wait: ${LONGEST_WAIT}.` }
      }),
  )
}

function addReadingTools(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'get_job',
    {
      title: 'Read a job',
      description: 'Reads a job: its status, progress and cost. Can wait until its status changes.',
      inputSchema: JobId.extend({
        wait: z.int().min(0).max(LONGEST_WAIT).default(30).describe('seconds to wait for a change of the status'),
      }),
      outputSchema: answerWith({ job_id: z.string(), job: z.looseObject({ status: z.enum(JOB_STATUSES) }) }),
      annotations: READS,
    },
    ({ job_id, wait }) =>
      run(async () => {
        const job = await calls.job(job_id, wait)
        return { summary: describeJob(job), job_id, job, next_step: nextStep(job) }
      }),
  )

  server.registerTool(
    'list_jobs',
    {
      title: 'List jobs',
      description: 'Lists jobs, newest first.',
      inputSchema: z.object({
        search: jobSearch,
        status: z.enum(JOB_STATUSES).optional(),
        page: z.int().min(1).default(1),
        limit: z.int().min(1).max(50).default(10),
      }),
      outputSchema: answerWith({ jobs: z.array(z.looseObject({ job_id: z.string() })), total: z.int() }),
      annotations: READS,
    },
    (query) =>
      run(async () => {
        const { jobs, total, has_more } = await calls.jobs({ ...query, sort: 'created_at', order: 'desc' })
        const lines = jobs.map(({ id, name, status, result_count, total_cost, created_at }) => ({
          job_id: id,
          name,
          status,
          result_count,
          total_cost,
          created_at,
        }))
        const summary = `${jobs.length} of ${total} jobs.`
        const more = has_more ? ` Call list_jobs with page: ${query.page + 1} for older jobs.` : ''
        return { summary, jobs: lines, total, next_step: `Call get_places with the job_id of a completed job.${more}` }
      }),
  )
}

function addCancelTool(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'cancel_job',
    {
      title: 'Cancel a job',
      description: 'Cancels a job. Places that are already stored are kept and billed.',
      inputSchema: JobId,
      outputSchema: answerWith({ job_id: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ job_id }) =>
      run(async () => {
        await calls.cancel(job_id)
        return { summary: 'The job is being cancelled.', job_id, next_step: 'Call get_job to see its final status.' }
      }),
  )
}

function addBalanceTool(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'get_balance',
    {
      title: 'Read the remaining credits',
      description: 'Reads the remaining credits. 1 credit is 1 USD.',
      inputSchema: z.object({}),
      outputSchema: answerWith({ available: z.string(), held: z.string() }),
      annotations: READS,
    },
    () =>
      run(async () => {
        const { credit_balance, available, held, total_credits_purchased } = await calls.balance()
        return {
          summary: `${available} credits are available for new jobs.`,
          credit_balance,
          available,
          held,
          total_credits_purchased,
          next_step: 'Call estimate_job to see what a job costs.',
        }
      }),
  )
}

/** The input of a tool that creates a job: its cost must be bounded. */
export const CreateJobInput = z.strictObject({
  ...SentJobRequest.shape,
  max_cost: SentJobRequest.shape.max_cost.unwrap().describe('the maximum cost of the job in credits, e.g. "0.50"'),
  request_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('choose another one for a second job with the same arguments'),
})

function describeJob({ name, status, result_count, total_cost, failure_reason, partial }: Job): string {
  const why = failure_reason ?? (partial ? 'some places may be missing' : undefined)
  return `"${name}" is ${status}${why ? ` (${why})` : ''}: ${result_count} places for ${total_cost} credits.`
}

function nextStep({ status, result_count }: Job): string {
  if (!isFinal(status)) return `Call get_job again with wait: ${LONGEST_WAIT}.`
  if (result_count === 0) return 'The job found no places. Try other keywords or a larger area.'
  return 'Call get_places to read the places, or export_link for a file with all of them.'
}
