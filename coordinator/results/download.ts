import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type Access, accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { IdParams, jobSearch, uuid } from '../http/params.ts'
import { errorResponses, writtenResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { databaseTime } from '../mongo/time.ts'
import type { ResultTotals } from './documents.ts'
import { checkLink, LinkedDownloadQuery, type LinkSigner } from './download-links.ts'
import { checkBytes, checkRows, type ExportSlots } from './export-limits.ts'
import { DownloadQuery, fileContent, sendFile } from './file-formats.ts'
import { lastPosition, placeSizes, streamJobResults } from './store.ts'

/** A job whose results can be downloaded. */
type FinalJob = { id: string; user_id: string; name: string; totals: ResultTotals }

export type DownloadOptions = {
  db: Db
  /**
   * Returns a job that has ended, or with `soFar` any job, and did not fail.
   * @throws AppError for any other job.
   */
  finalJob(user_id: string, job_id: string, soFar?: boolean): Promise<FinalJob>
  /**
   * Returns such a job of any user, for a request with a link.
   * @throws AppError like `finalJob`.
   */
  linkedJob(job_id: string): Promise<FinalJob>
  signer: LinkSigner
  /** Streams all jobs of the choice that did not fail, oldest first. Each call starts from the first one. */
  finalJobs(user_id: string, choice: JobChoice): AsyncIterable<{ _id: string; totals: ResultTotals }>
  slots: ExportSlots
}

/** Which of a user's jobs: those of one monitor, those whose name or keyword holds a text, those that ended by a time. */
export type JobChoice = { monitor_id?: string | undefined; search: string; ended_until: Date }

const JobDownloadQuery = LinkedDownloadQuery.safeExtend({
  so_far: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: also while the job goes on, what it has stored so far'),
})

/**
 * `GET /jobs/{id}/download`: the results of a job, of all tiers by default, as one file. A request with the signature of a
 * link needs no account.
 */
export function downloadRoute(app: Server, { db, finalJob, linkedJob, signer, slots }: DownloadOptions): void {
  const schema = {
    tags: ['results'],
    operationId: 'downloadJobResults',
    summary: 'Download the results of a job',
    params: IdParams,
    querystring: JobDownloadQuery,
    response: { 200: writtenResponse('The file', fileContent), ...errorResponses(402, 403) },
  }
  app.get('/jobs/:id/download', { schema, config: { access: accessTo } }, async (request, reply) => {
    const { query } = request
    const isLinked = query.signature !== undefined
    if (isLinked) await checkLink(db, signer, request.params.id, query)
    const { id } = request.params
    const job = isLinked ? await linkedJob(id) : await finalJob(accountOf(request).user_id, id, query.so_far === 'true')
    const { id: job_id, user_id, name } = job
    if (query.format === 'xlsx') {
      await checkRows([job])
      await checkBytes(placeSizes(db, { user_id, job_id }, query.web_presence))
    }
    slots.take(isLinked ? `link ${query.signature}` : user_id, query.format, reply)
    // A workbook is read several times, and a job that goes on stores more places meanwhile.
    const upTo = query.so_far === 'true' ? await lastPosition(db, { job_id }) : undefined
    const read = () => streamJobResults(db, { user_id, job_id }, query.web_presence, upTo)
    return sendFile(request, reply, { name, query, read })
  })
}

/** A link needs no account. Its signature is checked once the request is valid. */
const accessTo = ({ query }: FastifyRequest): Access =>
  typeof query === 'object' && query !== null && 'signature' in query ? 'anyone' : 'account'

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
      search: jobSearch,
    }),
    response: { 200: writtenResponse('The file', fileContent), ...errorResponses(404, 422) },
  }
  app.get('/results/download', { schema }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const { query } = request
    // A workbook is read several times: the time keeps its jobs the same.
    const choice = { ...query, ended_until: await databaseTime(db) }
    const jobs = () => finalJobs(user_id, choice)
    if (await isEmpty(jobs()))
      throw new AppError('not_found', 'No job that has ended matches. List your jobs to see them.')
    const placesOf = async function* <Part>(read: (job_id: string) => AsyncIterable<Part>) {
      for await (const { _id: job_id } of jobs()) yield* read(job_id)
    }
    if (query.format === 'xlsx') {
      await checkRows(jobs())
      await checkBytes(placesOf((job_id) => placeSizes(db, { user_id, job_id }, query.web_presence)))
    }
    slots.take(user_id, query.format, reply)
    const read = () => placesOf((job_id) => streamJobResults(db, { user_id, job_id }, query.web_presence))
    return sendFile(request, reply, { name: query.search, query, read })
  })
}

async function isEmpty(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of items) return false
  return true
}
