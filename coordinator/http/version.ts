import { z } from 'zod'
import type { BuildInfo } from './build-info.ts'
import { errorResponses, jsonResponse } from './responses.ts'
import type { Server } from './typed-server.ts'

const Version = z
  .object({
    version: z.string(),
    build_date: z.string(),
    git_commit_short: z.string(),
    environment: z.string(),
  })
  .meta({
    id: 'Version',
    description: 'What is running.',
    examples: [
      {
        version: '0.1.0',
        build_date: '2026-03-01T12:00:00.000Z',
        git_commit_short: '03c7ccf',
        environment: 'production',
      },
    ],
  })

/** `GET /version`: what is running. */
export async function versionRoutes(app: Server, { build }: { build: BuildInfo }): Promise<void> {
  const response = { 200: jsonResponse(Version, 'The build that answered'), ...errorResponses() }
  app.get('/version', { schema: { tags: ['service'], summary: 'The build version', response } }, async () => build)
}
