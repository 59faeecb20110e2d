import { Readable } from 'node:stream'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams } from '../../http/params.ts'
import { writtenResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { csvOf } from '../../results/export-csv.ts'
import { attachmentNamed } from '../../results/file-name.ts'
import type { MonitorStore } from '../store.ts'
import type { ChangeDocument } from './documents.ts'
import { type Change, presentChange } from './schema.ts'
import { streamChanges } from './store.ts'

type ChangesDownloadOptions = { monitors: Pick<MonitorStore, 'find'>; db: Db }

const COLUMNS = ['sequence', 'seen_at', 'type', 'place_key', 'title', 'job_id', 'fields'] as const

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    write: (changes: AsyncIterable<Change>) => csvOf(changes, { columns: COLUMNS, bom: false, delimiter: ',' }),
  },
  jsonl: { type: 'application/jsonl; charset=utf-8', write: jsonLinesOf },
} as const

const schema = {
  tags: ['monitors'],
  operationId: 'downloadMonitorChanges',
  summary: 'Download the changes that a monitor found',
  params: IdParams,
  querystring: z.strictObject({
    format: z.enum(['csv', 'jsonl']).default('csv').describe('the file format'),
    since: z.iso.datetime().optional().meta({ description: 'only changes seen since this time' }),
  }),
  response: {
    200: writtenResponse('The file', {
      'text/csv': { schema: z.string().describe('RFC 4180, one row per change; changed fields are JSON') },
      'application/jsonl': { schema: z.string().describe('JSON Lines, one change per line') },
    }),
  },
}

/** `GET /monitors/{id}/changes/download`: streams the changes of a monitor as one file. */
export function changesDownloadRoute(app: Server, { monitors, db }: ChangesDownloadOptions): void {
  app.get('/monitors/:id/changes/download', { schema }, async (request, reply) => {
    const monitor = orNotFound(await monitors.find(accountOf(request).user_id, request.params.id), 'monitor')
    const { format, since } = request.query
    const { type, write } = FORMATS[format]
    const documents = streamChanges(db, monitor._id, since === undefined ? undefined : new Date(since))
    reply.type(type).header('content-disposition', attachmentNamed(monitor.name, format))
    return reply.send(Readable.from(write(presented(documents))))
  })
}

async function* presented(documents: AsyncIterable<ChangeDocument>): AsyncGenerator<Change> {
  for await (const change of documents) yield presentChange(change)
}

async function* jsonLinesOf(changes: AsyncIterable<Change>): AsyncGenerator<string> {
  for await (const change of changes) yield `${JSON.stringify(change)}\n`
}
