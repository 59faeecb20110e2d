import type { Readable } from 'node:stream'
import type { UserLimit } from '../accounts/limits.ts'
import { accountOf, mustBeUnlimited } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { type RatePolicy, retryAfterHeaders } from '../http/rate-limit.ts'
import { jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { KnownPlaceList, KnownPlaceQuery, UploadBody, UploadedPlaces } from './schema.ts'
import type { KnownPlaces } from './store.ts'
import { MAX_MIB, readUpload } from './upload.ts'

type KnownPlaceRoutesOptions = {
  known: KnownPlaces
  /** The limit `UPLOADS` of each user. */
  uploadLimit: UserLimit
}

/** Uploads of a user: 3 a minute, 5 at once. An upload costs far more than other requests. */
export const UPLOADS: RatePolicy = { rate: 0.05, burst: 5 }

/** Uploads that one coordinator reads at a time. */
const UPLOADS_AT_A_TIME = 2

/** What a file is sent as. Its first bytes say what it is. */
const UPLOAD_TYPES = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'] as const

const tags = ['known places']

/** `/known-places`: list them, upload some, forget all. */
export async function knownPlaceRoutes(app: Server, options: KnownPlaceRoutesOptions): Promise<void> {
  const { known } = options
  listRoute(app, known)
  uploadRoute(app, options)
  forgetRoute(app, known)
}

function uploadRoute(app: Server, { known, uploadLimit }: KnownPlaceRoutesOptions): void {
  // Only here: every other route takes JSON only.
  app.addContentTypeParser([...UPLOAD_TYPES], async (_request: unknown, body: Readable) => body)
  const uploading = new Set<string>()

  const upload = {
    tags,
    operationId: 'uploadKnownPlaces',
    summary: 'Upload known places',
    description: `Jobs with \`only_new\` drop these places. The body is a CSV or XLSX file of at most ${MAX_MIB} MiB, an export of Placefleet or of another tool. A user uploads one file at a time and three a minute.`,
    consumes: [...UPLOAD_TYPES],
    body: UploadBody,
    response: {
      200: jsonResponse(UploadedPlaces, 'The places are known'),
    },
  }
  app.post('/known-places', { schema: upload }, async (request) => {
    const { user_id } = accountOf(request)
    if (uploading.has(user_id) || uploading.size >= UPLOADS_AT_A_TIME) throw busy()
    uploading.add(user_id)
    try {
      await uploadLimit.take(user_id)
      const { keys, unreadable } = await readUpload(request.body)
      return { ...(await known.add(user_id, keys)), unreadable }
    } finally {
      uploading.delete(user_id)
    }
  })
}

const busy = () =>
  new AppError('rate_limited', 'Another upload is running. Try again in 5 s.', { headers: retryAfterHeaders(5) })

function listRoute(app: Server, known: KnownPlaces): void {
  const list = {
    tags,
    operationId: 'listKnownPlaces',
    summary: 'List known places',
    description: 'The places that your jobs stored and those that you uploaded. They stay when a job is deleted.',
    querystring: KnownPlaceQuery,
    response: { 200: jsonResponse(KnownPlaceList, 'Known places') },
  }
  app.get('/known-places', { schema: list }, async (request) => {
    const { after, limit } = request.query
    const rows = await known.page(accountOf(request).user_id, after, limit + 1)
    return { known_places: rows.slice(0, limit), has_more: rows.length > limit }
  })
}

function forgetRoute(app: Server, known: KnownPlaces): void {
  const forget = {
    tags,
    operationId: 'forgetKnownPlaces',
    summary: 'Forget all known places',
    description: 'Every place counts as new again. Jobs and their results stay.',
    response: { 204: noContent('Forgotten') },
  }
  app.delete('/known-places', { schema: forget }, async (request, reply) => {
    mustBeUnlimited(accountOf(request), 'forget known places')
    await known.forget(accountOf(request).user_id)
    return reply.code(204).send()
  })
}
