import type { JobStatus } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { IdParams, PageFields, pageOf, pageQuery, queryInteger } from '../http/params.ts'
import { errorResponses, jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { serializeAsBuilt } from '../http/validation-and-serialization.ts'
import type { ResultDocument, ResultTotals } from './documents.ts'
import { type DownloadOptions, downloadAllRoute, downloadRoute } from './download.ts'
import { type DownloadLinkOptions, downloadLinkRoute } from './download-links.ts'
import { createExportSlots } from './export-limits.ts'
import { presentResult } from './present.ts'
import { createPageSize, finalJob, readableJob } from './readable.ts'
import { Result, resultPageExample, TiersQuery, WebPresenceCounts } from './schema.ts'
import { readAllOfUser, readJobPage } from './store.ts'

/** The fields of a job that these routes need. */
export type JobSummary = { id: string; user_id: string; name: string; status: JobStatus; totals: ResultTotals }

type ResultRoutesOptions = {
  db: Db
  /** Returns a job of this user, unless it is deleted. */
  findSummary(user_id: string, job_id: string): Promise<JobSummary | undefined>
  findLinked(job_id: string): Promise<JobSummary | undefined>
  /** Returns the user's deleted jobs whose results are not removed yet. */
  hiddenJobs(user_id: string): Promise<string[]>
} & Pick<DownloadOptions, 'finalJobs' | 'signer'> &
  Pick<DownloadLinkOptions, 'publicUrl'>

const ResultPage = z
  .object({ results: z.array(Result), ...PageFields, web_presence_counts: WebPresenceCounts })
  .meta({ id: 'ResultPage', description: 'A page of the results of a job.', examples: [resultPageExample] })

// Bytes, because the heap keeps the text of a page (250 KB) as a large object until a full garbage collection.
function jsonOfPage(): (document: ResultDocument) => Buffer {
  const count = createPageSize()
  return (document) => {
    const json = Buffer.from(JSON.stringify(presentResult(document)))
    count(json.length)
    return json
  }
}

const BEGIN = Buffer.from('{"results":[')
const COMMA = Buffer.from(',')
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')]

const separated = (results: readonly Buffer[]): Buffer[] =>
  results.flatMap((result, nth) => (nth === 0 ? [result] : [COMMA, result]))

/** Returns a page as JSON, given its results as JSON. */
function pageOfJson(results: readonly Buffer[], others: Omit<z.infer<typeof ResultPage>, 'results'>): Buffer {
  const end = Buffer.from(`],${JSON.stringify(others).slice(1)}`)
  return Buffer.concat([BEGIN, ...separated(results), end])
}

/** `GET /jobs/{id}/results`, `GET /results` and their downloads. */
export async function resultRoutes(app: Server, options: ResultRoutesOptions): Promise<void> {
  const { db, findSummary, findLinked, hiddenJobs, finalJobs, signer, publicUrl } = options
  const pageSchema = {
    tags: ['results'],
    operationId: 'listJobResults',
    summary: 'List the results of a job',
    params: IdParams,
    querystring: z.strictObject({ ...pageQuery({ fallback: 50, max: 100 }), web_presence: TiersQuery }),
    response: { 200: jsonResponse<z.ZodType>(ResultPage, 'A page'), ...errorResponses(402) },
  }
  app.get('/jobs/:id/results', { schema: pageSchema, serializerCompiler: serializeAsBuilt }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const { web_presence, ...page } = request.query
    const job = readableJob(await findSummary(user_id, request.params.id))
    const selection = { ...page, tiers: web_presence }
    const { results, counts } = await readJobPage(db, { user_id, job_id: job.id }, selection, jsonOfPage())
    const total = web_presence.reduce((sum, tier) => sum + counts[tier], 0)
    const others = { ...pageOf({ ...page, total }), web_presence_counts: counts }
    return reply.type('application/json; charset=utf-8').send(pageOfJson(results, others))
  })

  const allSchema = {
    tags: ['results'],
    operationId: 'listResults',
    summary: 'List the results of all jobs',
    querystring: z.strictObject({
      limit: queryInteger({ min: 1, max: 100, fallback: 50, describe: 'maximum number of results' }),
      offset: queryInteger({ min: 0, fallback: 0, describe: 'number of results to skip' }),
    }),
    response: { 200: jsonResponse<z.ZodType>(z.array(Result), 'Results in order of storage'), ...errorResponses(422) },
  }
  app.get('/results', { schema: allSchema, serializerCompiler: serializeAsBuilt }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const page = { ...request.query, hiddenJobs: await hiddenJobs(user_id) }
    const results = await readAllOfUser(db, user_id, page, jsonOfPage())
    return reply.type('application/json; charset=utf-8').send(Buffer.concat([OPEN, ...separated(results), CLOSE]))
  })

  const downloads: DownloadOptions = {
    db,
    finalJobs,
    slots: createExportSlots(),
    signer,
    finalJob: async (user_id, job_id, soFar) => finalJob(await findSummary(user_id, job_id), soFar),
    linkedJob: async (job_id) => finalJob(await findLinked(job_id)),
  }
  downloadRoute(app, downloads)
  downloadAllRoute(app, downloads)
  downloadLinkRoute(app, { ...downloads, publicUrl })
}
