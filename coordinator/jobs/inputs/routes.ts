import { Readable } from 'node:stream'
import { MOST_PLACES } from '@placefleet/shared/job-limits'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams } from '../../http/params.ts'
import { writtenResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { csvOf } from '../../results/export-csv.ts'
import { attachmentNamed } from '../../results/file-name.ts'
import type { JobDocument } from '../documents.ts'
import { readInputs } from './read.ts'
import { JobInputList, JobInputsQuery } from './schema.ts'

type JobInputRoutesOptions = {
  db: Db
  findJob(user_id: string, job_id: string): Promise<JobDocument | undefined>
}

const CSV_TYPE = 'text/csv'
const LAYOUT = { columns: ['input', 'status', 'result_id'], bom: false, delimiter: ',' } as const

const schema = {
  tags: ['jobs'],
  operationId: 'listJobInputs',
  summary: 'List what became of the named places of a job',
  description: 'The entries of `places` in their order, also while the job runs. Empty for a job without `places`.',
  params: IdParams,
  querystring: JobInputsQuery,
  response: {
    200: writtenResponse('Named places, or a CSV file with all of them', {
      'application/json': { schema: JobInputList },
      [CSV_TYPE]: { schema: z.string().describe('RFC 4180, one row per named place') },
    }),
  },
}

/** `GET /jobs/{id}/inputs`: what became of each place that a job names. */
export async function jobInputRoutes(app: Server, { db, findJob }: JobInputRoutesOptions): Promise<void> {
  app.get('/jobs/:id/inputs', { schema }, async (request, reply) => {
    const job = orNotFound(await findJob(accountOf(request).user_id, request.params.id), 'job')
    const { after, limit, format } = request.query
    if (format === 'csv') {
      const inputs = await readInputs(db, job, { start: 0, limit: MOST_PLACES })
      reply.header('content-disposition', attachmentNamed(`${job.name} inputs`, 'csv'))
      return reply.type(`${CSV_TYPE}; charset=utf-8`).send(Readable.from(csvOf(Readable.from(inputs), LAYOUT)))
    }
    const inputs = await readInputs(db, job, { start: after, limit })
    const read = after + inputs.length
    const page: JobInputList = { inputs, has_more: read < (job.data.places?.length ?? 0), after: read }
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(page))
  })
}
