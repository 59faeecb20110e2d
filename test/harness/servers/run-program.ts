import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The cache of compiled code, as in the npm scripts. It makes a start a third faster. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node') }

/** The exit code and the output of a program. */
export type ProgramRun = { code: number | null; out: string; err: string }

/** Runs a script of the repository in `cwd` until it ends. Its environment contains PATH, HOME and `env`. */
export async function runProgram(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<ProgramRun> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    env: { PATH, HOME, ...COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  await closed
  return { code: child.exitCode, out, err }
}
