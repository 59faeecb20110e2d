import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const WORKSPACES = '@placefleet'
const NESTED_MODULES = ['agent', 'coordinator', 'coordinator/console', 'deploy', 'proto', 'shared', 'test']

/** A temporary copy of the working tree that tests can run in. Its packages are those of the working tree. */
export type Copy = { dir: string; remove(): void }

/** Makes a copy of all files that git knows or would add, and of the built console. */
export function makeCopy(): Copy {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-mutation-'))
  const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', known, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of [...files, 'coordinator/console/dist']) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    cpSync(join(ROOT, file), join(dir, file), { recursive: true })
  }
  linkModules(dir)
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Links each package; those of the workspaces are relative links, and so lead into the copy. */
function linkModules(dir: string): void {
  mkdirSync(join(dir, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(dir, 'node_modules', name)]
    if (name === WORKSPACES) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(from, to)
  }
  for (const workspace of NESTED_MODULES) {
    const from = join(ROOT, workspace, 'node_modules')
    try {
      symlinkSync(from, join(dir, workspace, 'node_modules'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
