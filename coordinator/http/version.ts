import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import coordinatorPackage from '../package.json' with { type: 'json' }
import { jsonResponse } from './responses.ts'
import type { Server } from './typed-server.ts'

const BuildInfo = z
  .object({
    version: z.string(),
    build_date: z.string(),
    git_commit_short: z.string(),
    environment: z.string(),
  })
  .meta({
    id: 'Version',
    description: 'The running build.',
    examples: [
      {
        version: '0.1.0',
        build_date: '2026-03-01T12:00:00.000Z',
        git_commit_short: '03c7ccf',
        environment: 'production',
      },
    ],
  })
export type BuildInfo = z.infer<typeof BuildInfo>

type BuildSettings = { environment: string; buildDate?: string | undefined; gitCommit?: string | undefined }

export const VERSION = coordinatorPackage.version

const ROOT = join(import.meta.dirname, '..', '..')

/** `GET /version`: the running build. */
export async function versionRoutes(app: Server, { build }: { build: BuildInfo }): Promise<void> {
  const response = { 200: jsonResponse(BuildInfo, 'The build that answered') }
  app.get(
    '/version',
    { schema: { tags: ['service'], operationId: 'getVersion', summary: 'The build version', response } },
    async () => build,
  )
}

/**
 * Describes the running build. Images name their commit and date in the settings. A checkout uses its own commit and
 * the time of its last install.
 */
export function readBuildInfo({ environment, buildDate, gitCommit }: BuildSettings): BuildInfo {
  return {
    version: VERSION,
    build_date: buildDate ?? statSync(join(ROOT, 'package.json')).mtime.toISOString(),
    git_commit_short: (gitCommit ?? checkedOutCommit() ?? 'unknown').slice(0, 7),
    environment,
  }
}

function checkedOutCommit(): string | undefined {
  const head = readGitFile('HEAD')
  const ref = head && /^ref: (\S+)/.exec(head)?.[1]
  return ref ? readGitFile(ref) : head
}

function readGitFile(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, '.git', path), 'utf8').trim()
  } catch {
    return undefined // not a git checkout
  }
}
