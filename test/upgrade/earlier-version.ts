import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** A checkout of an earlier version with its packages installed. */
export type EarlierVersion = { revision: string; root: string; remove(): void }

/**
 * Checks out and installs the revision that FROM names, else the newest tag before this one.
 * @throws Error that says what to set when there is no such revision.
 */
export function installEarlierVersion(): EarlierVersion {
  const revision = revisionOf(process.env.FROM)
  const root = mkdtempSync(join(tmpdir(), 'placefleet-earlier-'))
  git('worktree', 'add', '--detach', '--force', root, revision)
  const remove = () => {
    git('worktree', 'remove', '--force', root)
    rmSync(root, { recursive: true, force: true })
  }
  try {
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    remove()
    throw error
  }
  return { revision, root, remove }
}

function revisionOf(from: string | undefined): string {
  try {
    return git(
      'rev-parse',
      '--short',
      '--verify',
      `${from ?? git('describe', '--tags', '--abbrev=0', 'HEAD^')}^{commit}`,
    )
  } catch (cause) {
    const why = from === undefined ? 'No earlier version has a tag' : `There is no revision ${from}`
    throw new Error(`${why}. Name one of this checkout: FROM=<tag or commit> npm run test:upgrade`, { cause })
  }
}
