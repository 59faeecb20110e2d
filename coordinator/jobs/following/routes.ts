import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams } from '../../http/params.ts'
import { noContent, writtenResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { JobDocument } from '../documents.ts'
import { type FollowDeps, type Followed, followJob } from './follow.ts'
import type { OpenOfUsers } from './open-streams.ts'
import { FollowEvent, FollowQuery, StreamedEvent } from './schema.ts'

/** How long a stream stays open. Proxies and browsers close old connections anyway, so the client must reconnect. */
const LIFE_MS = 300_000

/** How long a browser waits before it reconnects. */
const RETRY_MS = 1_000

/** The id of the `end` event. A browser that reconnects with it gets 204, which stops it. */
const END = 'end'

const LastEventId = z.looseObject({
  'last-event-id': z
    .string()
    .regex(/^(\d{1,15}|end)$/, 'is not the id of an event')
    .optional()
    .describe('sent by browsers when they reconnect; overrides `after`'),
})

type FollowRoutesDeps = FollowDeps & {
  openStream: OpenOfUsers
  findJob(user_id: string, job_id: string): Promise<JobDocument | undefined>
}

/**
 * `GET /jobs/{id}/stream` and `GET /jobs/{id}/events`: stream the places of a job while they are stored, without gaps.
 */
export async function followRoutes(app: Server, deps: FollowRoutesDeps): Promise<void> {
  const described = (description: string, type: string, schema: z.ZodType) => ({
    200: writtenResponse(description, { [type]: { schema } }),
  })
  const common = { tags: ['jobs'], params: IdParams, querystring: FollowQuery }

  const stream = {
    ...common,
    operationId: 'streamJob',
    summary: 'Follow a job as NDJSON',
    description:
      'One JSON object a line: places in order, progress, and the end. An empty line is a heartbeat. The stream ends after ' +
      'five minutes or when this server stops. Without an `end` event, request it again with the last `position` as `after`.',
    response: described('One event a line', 'application/x-ndjson', FollowEvent),
  }
  app.get('/jobs/:id/stream', { schema: stream }, async (request, reply) => {
    const { after, places } = request.query
    const follower = { ...whoseJob(request), after, withPlaces: places === 'true' }
    const lines = await textOf(deps, reply, follower, lineOf)
    return reply.type('application/x-ndjson').header('x-accel-buffering', 'no').send(lines)
  })

  const events = {
    ...common,
    operationId: 'streamJobEvents',
    summary: 'Follow a job as server-sent events',
    description:
      'For `EventSource`: each event carries one object of the NDJSON stream; its id is the cursor. Browsers reconnect with ' +
      '`Last-Event-ID` and miss nothing. After the end they get 204 and stop.',
    headers: LastEventId,
    response: {
      ...described('Events until the end of the job', 'text/event-stream', StreamedEvent),
      204: noContent('The end was already sent'),
    },
  }
  app.get('/jobs/:id/events', { schema: events }, async (request, reply) => {
    const last = request.headers['last-event-id']
    if (last === END) return reply.code(204).send()
    const { after, places } = request.query
    const cursor = last === undefined ? after : Number(last)
    const follower = { ...whoseJob(request), after: cursor, withPlaces: places === 'true' }
    const text = await textOf(deps, reply, follower, eventOf)
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(text)
  })
}

type Follower = { user_id: string; job_id: string; after: number; withPlaces: boolean }

const whoseJob = (request: FastifyRequest<{ Params: { id: string } }>) => ({
  user_id: accountOf(request).user_id,
  job_id: request.params.id,
})

/** @throws AppError `not_found`, or `rate_limited` with ten streams open. */
async function textOf(
  deps: FollowRoutesDeps,
  reply: FastifyReply,
  { user_id, job_id, after, withPlaces }: Follower,
  format: (followed: Followed) => string,
): Promise<Readable> {
  const job = orNotFound(await deps.findJob(user_id, job_id), 'job')
  const close = await deps.openStream(user_id)
  // The response ends in any case, even when the client disconnects before the first event.
  finished(reply.raw, () => void close())
  return Readable.from(formatted(followJob(deps, { job, after, withPlaces, lifeMs: LIFE_MS }), format), {
    objectMode: false,
  })
}

async function* formatted(events: AsyncIterable<Followed>, format: (followed: Followed) => string) {
  for await (const followed of events) yield format(followed)
}

const lineOf = (followed: Followed): string => (followed === 'heartbeat' ? '\n' : `${JSON.stringify(followed.event)}\n`)

function eventOf(followed: Followed): string {
  if (followed === 'heartbeat') return ': still here\n\n'
  const { event, cursor } = followed
  return `retry: ${RETRY_MS}\nid: ${event.type === 'end' ? END : cursor}\ndata: ${JSON.stringify(event)}\n\n`
}
