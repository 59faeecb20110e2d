import { accountOf } from '../http/authentication.ts'
import { errorResponses, jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { KnownPlaceList, KnownPlaceQuery, presentKnownPlace, UploadBody, UploadedPlaces } from './schema.ts'
import type { KnownPlaces } from './store.ts'
import { readUpload } from './upload.ts'

export type KnownPlaceRoutesOptions = { known: KnownPlaces }

/** The largest upload: 100,000 rows of an export with several columns. */
const BODY_LIMIT = 16 * 1024 * 1024

const tags = ['known places']

/** `/known-places`: list them, upload some, forget all. */
export async function knownPlaceRoutes(app: Server, { known }: KnownPlaceRoutesOptions): Promise<void> {
  listRoute(app, known)
  uploadRoute(app, known)
  forgetRoute(app, known)
}

function uploadRoute(app: Server, known: KnownPlaces): void {
  // Only here: every other route takes JSON only.
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: string) => body,
  )

  const upload = {
    tags,
    operationId: 'uploadKnownPlaces',
    summary: 'Upload known places',
    description: 'Jobs with `only_new` drop these places. The body is CSV (`Content-Type: text/csv`), at most 16 MiB.',
    consumes: ['text/csv'],
    body: UploadBody,
    response: {
      200: jsonResponse(UploadedPlaces, 'The places are known'),
      ...errorResponses(400, 413, 415, 422),
    },
  }
  app.post('/known-places', { schema: upload, bodyLimit: BODY_LIMIT }, async (request) => {
    const { keys, unreadable } = readUpload(request.body)
    return { ...(await known.add(accountOf(request).user_id, keys)), unreadable }
  })
}

function listRoute(app: Server, known: KnownPlaces): void {
  const list = {
    tags,
    operationId: 'listKnownPlaces',
    summary: 'List known places',
    description: 'The places that your jobs stored and those that you uploaded. They stay when a job is deleted.',
    querystring: KnownPlaceQuery,
    response: { 200: jsonResponse(KnownPlaceList, 'Known places'), ...errorResponses(400) },
  }
  app.get('/known-places', { schema: list }, async (request) => {
    const { after, limit } = request.query
    const found = await known.page(accountOf(request).user_id, after, limit + 1)
    return { known_places: found.slice(0, limit).map(presentKnownPlace), has_more: found.length > limit }
  })
}

function forgetRoute(app: Server, known: KnownPlaces): void {
  const forget = {
    tags,
    operationId: 'forgetKnownPlaces',
    summary: 'Forget all known places',
    description: 'Every place counts as new again. Jobs and their results stay.',
    response: { 204: noContent('Forgotten'), ...errorResponses() },
  }
  app.delete('/known-places', { schema: forget }, async (request, reply) => {
    await known.forget(accountOf(request).user_id)
    return reply.code(204).send()
  })
}
