import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { faultText } from '../http/fault-text.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses, jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { validationFailure } from '../http/validation-and-serialization.ts'
import { databaseTime } from '../mongo/time.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { isSameSecret } from '../secrets/secret-box.ts'
import { COLUMNS, ColumnsQuery } from './columns.ts'
import type { ResultTotals } from './documents.ts'
import { checkRows } from './export-limits.ts'
import { DownloadQuery } from './file-formats.ts'
import { TiersQuery } from './schema.ts'

export type DownloadLinkOptions = {
  db: Db
  /**
   * Returns a job that has ended and did not fail.
   * @throws AppError for any other job.
   */
  finalJob(user_id: string, job_id: string): Promise<{ id: string; totals: ResultTotals }>
  signer: LinkSigner
  /** The URL of the API; undefined: that of each request. */
  publicUrl: string | undefined
}

/** How long a link works. */
const LIFE_SECONDS = 10 * 60

/** Signs links. It has a key of its own, derived from SECRETS_KEY. */
export type LinkSigner = Pick<SecretBox, 'signature'>

/** The query of `GET /jobs/{id}/download`. A link has the last two. */
export const LinkedDownloadQuery = DownloadQuery.safeExtend({
  expires: z.string().max(20).optional().describe('of a download link: until when it works'),
  signature: z.string().max(100).optional().describe('of a download link: makes an API key unnecessary'),
})
export type LinkedDownloadQuery = z.infer<typeof LinkedDownloadQuery>

/** More than there are columns or tiers. */
const MOST_ITEMS = 100

/** A text with the pattern of a query parameter. The query of the download checks it. */
const textLike = (query: z.ZodType) => z.string().meta({ pattern: query.meta()?.pattern })

const columnList = z
  .array(z.string().meta({ enum: [...COLUMNS] }))
  .max(MOST_ITEMS)
  .meta({ uniqueItems: true })

export const DownloadLinkRequest = z
  .strictObject({
    format: DownloadQuery.shape.format.unwrap().describe('the file format'),
    columns: z
      .union([textLike(ColumnsQuery), columnList])
      .optional()
      .describe('the columns in the order of the file, as a list or separated by commas; absent: all'),
    web_presence: z
      .union([textLike(TiersQuery), z.array(textLike(TiersQuery)).max(MOST_ITEMS)])
      .optional()
      .describe('tiers, `all`, `no_website` or `has_website`, as a list or separated by commas'),
  })
  .meta({
    id: 'DownloadLinkRequest',
    description: 'The file that a link downloads.',
    examples: [{ format: 'csv', columns: ['title', 'phone', 'website'], web_presence: 'no_website' }],
  })

const DownloadLink = z
  .object({ url: z.string().describe('downloads the file without a header'), expires_at: z.iso.datetime() })
  .meta({
    id: 'DownloadLink',
    description: 'A link that works for ten minutes.',
    examples: [
      {
        url: 'https://fleet.example/api/v1/jobs/4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10/download?format=csv&columns=title%2Cphone&expires=1772443800&signature=mZ0l1yNnM1b7Qk5t8o2pV6x9a4c3d2e1f0g9h8i7j6k',
        expires_at: '2026-03-02T09:30:00.000Z',
      },
    ],
  })

/** `POST /jobs/{id}/download-link`: a link for a browser or a program that has no API key. Nothing is stored. */
export function downloadLinkRoute(app: Server, { db, finalJob, signer, publicUrl }: DownloadLinkOptions): void {
  const schema = {
    tags: ['results'],
    operationId: 'createDownloadLink',
    summary: 'Create a link to the results of a job',
    description: 'Whoever has the link can download this file of this job for ten minutes, without an API key.',
    params: IdParams,
    body: DownloadLinkRequest,
    response: { 200: jsonResponse(DownloadLink, 'The link'), ...errorResponses(402) },
  }
  app.post('/jobs/:id/download-link', { schema }, async (request) => {
    const job = await finalJob(accountOf(request).user_id, request.params.id)
    return createDownloadLink({ db, signer }, job, request.body, publicUrl ?? `${request.protocol}://${request.host}`)
  })
}

/**
 * Creates a link to a file with the results of a job.
 * @param origin the URL of the API.
 * @throws AppError `bad_request` for an unknown column or tier, `unprocessable` for a workbook that would be too large,
 * `unavailable` without SECRETS_KEY.
 */
export async function createDownloadLink(
  { db, signer }: Pick<DownloadLinkOptions, 'db' | 'signer'>,
  job: { id: string; totals: ResultTotals },
  file: z.infer<typeof DownloadLinkRequest>,
  origin: string,
): Promise<z.infer<typeof DownloadLink>> {
  if (file.format === 'xlsx') await checkRows([job])
  const expires = Math.floor((await databaseTime(db)).getTime() / 1_000) + LIFE_SECONDS
  const query = new URLSearchParams({ ...fileOf(file), expires: String(expires) })
  query.set('signature', linkSignature(signer, job.id, parsed(query)))
  return {
    url: `${origin}/api/v1/jobs/${job.id}/download?${query}`,
    expires_at: new Date(expires * 1_000).toISOString(),
  }
}

const fileOf = (request: z.infer<typeof DownloadLinkRequest>): Record<string, string> =>
  Object.fromEntries(Object.entries(request).map(([name, value]) => [name, [value].flat().join(',')]))

/** @throws AppError `bad_request` for an unknown column or tier. */
function parsed(query: URLSearchParams): LinkedDownloadQuery {
  const file = LinkedDownloadQuery.safeParse(Object.fromEntries(query), { error: faultText, reportInput: true })
  if (file.success) return file.data
  throw validationFailure(file.error.issues, LinkedDownloadQuery, 'body')
}

/**
 * Checks the link that a request came by.
 * @throws AppError `forbidden` when it is over, or was made for another job or file.
 */
export async function checkLink(db: Db, signer: LinkSigner, job_id: string, query: LinkedDownloadQuery): Promise<void> {
  const isGenuine = isSameSecret(query.signature ?? '', linkSignature(signer, job_id, query))
  if (isGenuine && Number(query.expires) * 1_000 > (await databaseTime(db)).getTime()) return
  throw new AppError('forbidden', 'This download link is over or was changed. Create another one.')
}

/** Returns the signature over the job and everything that its query says. */
export function linkSignature(signer: LinkSigner, job_id: string, query: LinkedDownloadQuery): string {
  const { format, columns, web_presence, bom, delimiter, expires } = query
  return signer.signature(
    'download link',
    JSON.stringify([job_id, format, columns, web_presence, bom, delimiter, expires]),
  )
}
