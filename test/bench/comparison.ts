import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What the product is compared with, and the tool that sends the load: a package with a lock of its own. */
export const COMPARISON = join(import.meta.dirname, '..', 'comparison')

/** Installs what the product is compared with, unless it is there. @throws Error when the registry does not answer. */
export function installComparison(): void {
  if (existsSync(join(COMPARISON, 'node_modules'))) return
  execFileSync('npm', ['ci'], { cwd: COMPARISON, stdio: ['ignore', 'ignore', 'inherit'] })
}
