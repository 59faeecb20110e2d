import type { Db } from 'mongodb'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { IdParams, searchQuery, uuid } from '../http/params.ts'
import { errorResponses } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { ResultTotals } from './documents.ts'
import { checkRows, type ExportSlots } from './export-limits.ts'
import { DownloadQuery, fileContent, sendFile } from './file-formats.ts'
import type { Result } from './schema.ts'
import { streamJobResults } from './store.ts'

export type DownloadOptions = {
  db: Db
  /**
   * Returns a job that has ended and did not fail.
   * @throws AppError for any other job.
   */
  finalJob(user_id: string, job_id: string): Promise<JobTotals & { name: string }>
  /** Returns all jobs of the choice that have ended and did not fail, oldest first. */
  finalJobs(user_id: string, choice: JobChoice): Promise<JobTotals[]>
  slots: ExportSlots
}

/** Which of a user's jobs: those of one monitor, and those whose name or keyword holds a text. */
export type JobChoice = { monitor_id?: string | undefined; search: string }
export type JobTotals = { id: string; totals: ResultTotals }

/** `GET /jobs/{id}/download`: the results of a job, of all tiers by default, as one file. */
export function downloadRoute(app: Server, { db, finalJob, slots }: DownloadOptions): void {
  const schema = {
    tags: ['results'],
    operationId: 'downloadJobResults',
    summary: 'Download the results of a job',
    params: IdParams,
    querystring: DownloadQuery,
    response: { 200: { description: 'The file', content: fileContent }, ...errorResponses(400, 402, 404, 422) },
  }
  app.get('/jobs/:id/download', { schema }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const job = await finalJob(user_id, request.params.id)
    const { id: job_id, name } = job
    const { query } = request
    if (query.format === 'xlsx') checkRows([job])
    slots.take(user_id, query.format, reply)
    const read = () => streamJobResults(db, { user_id, job_id }, query.web_presence)
    return sendFile(request, reply, { name, query, read })
  })
}

/** `GET /results/download`: the results of many jobs as one file, job after job. */
export function downloadAllRoute(app: Server, { db, finalJobs, slots }: DownloadOptions): void {
  const schema = {
    tags: ['results'],
    operationId: 'downloadResults',
    summary: 'Download the results of many jobs',
    description:
      'One file with the results of all your ended jobs, of one monitor, or of the jobs that a search finds. Oldest job first; a place that several jobs found has a row for each.',
    querystring: DownloadQuery.safeExtend({
      monitor_id: uuid.optional().describe('only jobs of this monitor'),
      search: searchQuery,
    }),
    response: { 200: { description: 'The file', content: fileContent }, ...errorResponses(400, 404, 422) },
  }
  app.get('/results/download', { schema }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const { query } = request
    const jobs = await finalJobs(user_id, query)
    if (jobs.length === 0) throw new AppError('not_found', 'No job that has ended matches. List your jobs to see them.')
    if (query.format === 'xlsx') checkRows(jobs)
    slots.take(user_id, query.format, reply)
    const read = () =>
      allResults(jobs.map(({ id: job_id }) => streamJobResults(db, { user_id, job_id }, query.web_presence)))
    return sendFile(request, reply, { name: query.search, query, read })
  })
}

async function* allResults(jobs: readonly AsyncIterable<Result>[]): AsyncGenerator<Result> {
  for (const results of jobs) yield* results
}
