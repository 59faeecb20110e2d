import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import coordinatorPackage from '../package.json' with { type: 'json' }

/** What is running here (SPEC, "Support and utility"). */
export type BuildInfo = { version: string; build_date: string; git_commit_short: string; environment: string }

export type BuildSettings = { environment: string; buildDate?: string | undefined; gitCommit?: string | undefined }

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * Says what is running: what an image was given when it was built, else what the checkout tells: its commit, and when it
 * was last installed.
 */
export function readBuildInfo({ environment, buildDate, gitCommit }: BuildSettings): BuildInfo {
  return {
    version: coordinatorPackage.version,
    build_date: buildDate ?? statSync(join(ROOT, 'package.json')).mtime.toISOString(),
    git_commit_short: (gitCommit ?? checkedOutCommit() ?? 'unknown').slice(0, 7),
    environment,
  }
}

function checkedOutCommit(): string | undefined {
  const head = readIfThere('HEAD')
  const ref = head && /^ref: (\S+)/.exec(head)?.[1]
  return ref ? readIfThere(ref) : head
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, '.git', path), 'utf8').trim()
  } catch {
    return undefined // not a checkout, or a packed one
  }
}
