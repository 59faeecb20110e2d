import { z } from 'zod'
import type { BuildInfo } from './build-info.ts'
import type { Server } from './typed-server.ts'

const Health = z
  .object({
    status: z.enum(['ok', 'draining', 'unavailable']),
    db: z.enum(['ok', 'down']),
    version: z.string(),
  })
  .meta({
    id: 'Health',
    description: 'Whether the service can answer.',
    examples: [{ status: 'ok', db: 'ok', version: '0.1.0' }],
  })

export type HealthOptions = { build: BuildInfo; databaseAnswers: () => Promise<boolean> }

/** `GET /health`: whether requests should be sent here. Needs no account and has no limit. */
export async function healthRoutes(app: Server, { build, databaseAnswers }: HealthOptions): Promise<void> {
  app.get(
    '/health',
    {
      config: { access: 'unlimited' },
      schema: {
        tags: ['service'],
        summary: 'Whether the service can answer',
        security: [],
        response: { 200: Health.describe('It can'), 503: Health.describe('It cannot, or is about to stop') },
      },
    },
    async (_request, reply) => {
      const db = (await databaseAnswers()) ? 'ok' : 'down'
      const status = db === 'down' ? 'unavailable' : app.draining.on ? 'draining' : 'ok'
      return reply.code(status === 'ok' ? 200 : 503).send({ status, db, version: build.version })
    },
  )
}
