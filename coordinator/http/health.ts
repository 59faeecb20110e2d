import { z } from 'zod'
import { ErrorBody } from './responses.ts'
import type { Server } from './typed-server.ts'
import type { BuildInfo } from './version.ts'

const Health = z
  .object({
    status: z.enum(['ok', 'draining', 'unavailable']),
    db: z.enum(['ok', 'down']).describe('`down` also when it rejects writes'),
    queue: z.literal('down').optional().describe('present while NATS or its JetStream does not answer; then jobs wait'),
    version: z.string(),
  })
  .meta({
    id: 'Health',
    description: 'The state of the service.',
    examples: [{ status: 'ok', db: 'ok', version: '0.1.0' }],
  })

const Unhealthy = ErrorBody.extend(Health.shape).meta({
  id: 'Unhealthy',
  description: 'Why the service is unavailable.',
  examples: [
    {
      code: 503,
      error: 'unavailable',
      message: 'The database does not answer, or has no primary. Try again soon.',
      request_id: 'b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55',
      status: 'unavailable',
      db: 'down',
      version: '0.1.0',
    },
  ],
})

type HealthOptions = {
  build: BuildInfo
  databaseAnswers: () => Promise<boolean>
  /** Whether the database accepts a write now. A full disk answers pings. */
  databaseAcceptsWrites: () => Promise<boolean>
  /** Whether the database has no room left. Asked when it does not answer. */
  databaseDiskIsFull: () => Promise<boolean>
  queueAnswers: () => boolean
}

const MESSAGES = {
  read_only: 'The database rejects writes. Its disk may be full or read-only. Try again soon.',
  disk_full: 'The database does not answer, because its disk is full. Free some room on it.',
  unavailable: 'The database does not answer, or has no primary. Try again soon.',
  draining: 'This process is stopping. Send requests to another one.',
}
const RETRY_AFTER_SECONDS = 5

const Live = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Live', description: 'The process runs.', examples: [{ status: 'ok' }] })

/**
 * `GET /health`: readiness. `GET /livez`: liveness, without a query to the database. Both need no account and have no
 * rate limit.
 */
export async function healthRoutes(app: Server, options: HealthOptions): Promise<void> {
  app.get(
    '/livez',
    {
      config: { access: 'unlimited' },
      schema: {
        tags: ['service'],
        operationId: 'getLiveness',
        summary: 'Liveness of the process',
        description:
          'Answers while the process runs, even when the database is down. Restart the process when it does not.',
        security: [],
        response: { 200: Live.describe('The process runs') },
      },
    },
    async () => ({ status: 'ok' as const }),
  )
  app.get(
    '/health',
    {
      config: { access: 'unlimited' },
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Health of the service',
        security: [],
        response: {
          200: Health.describe('The service is healthy'),
          503: Unhealthy.describe('The service is unavailable or stopping'),
        },
      },
    },
    async (request, reply) => {
      const { version } = options.build
      const queue = options.queueAnswers() ? {} : { queue: 'down' as const }
      const [answers, writes] = await Promise.all([options.databaseAnswers(), options.databaseAcceptsWrites()])
      if (answers && writes && !app.draining.on)
        return reply.code(200).send({ status: 'ok', db: 'ok', ...queue, version })
      const status = answers && writes ? 'draining' : 'unavailable'
      const db = answers && writes ? 'ok' : 'down'
      const diskFull = !answers && (await options.databaseDiskIsFull())
      const message = MESSAGES[diskFull ? 'disk_full' : answers && !writes ? 'read_only' : status]
      const failure = { code: 503, error: 'unavailable', message, request_id: request.id, ...queue }
      const body = { ...failure, status, db, version } as const
      return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send(body)
    },
  )
}
