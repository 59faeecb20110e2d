import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runOps as runCommand } from '@placefleet/coordinator/operator/commands/run'
import type { TestDatabase } from '../../../harness/servers/database.ts'
import { COMPILE_CACHE } from '../../../harness/servers/run-program.ts'

const PROGRAM = resolve(import.meta.dirname, '../../../../coordinator/operator/main.ts')

/** How a run of the operator's command line ended and what it wrote. */
export type OpsRun = { code: number | null; out: string; err: string }

/** Runs the operator's command line in a separate process, with only the given environment. */
export async function runOps(
  args: string[],
  env: Record<string, string> = {},
  readOut: (stdout: Readable) => unknown = text,
): Promise<OpsRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [out, err] = await Promise.all([readOut(child.stdout), text(child.stderr)])
  await closed
  return { code: child.exitCode, out: String(out), err }
}

/** Runs the operator's command line in this process. */
export async function runOpsHere(args: string[], env: Record<string, string> = {}): Promise<OpsRun> {
  const [out, err]: [string[], string[]] = [[], []]
  const { PATH = '' } = process.env // `doctor --maps` starts npm
  const code = await runCommand(
    args,
    { PATH, ...env },
    { out: (part) => void out.push(part), err: (part) => void err.push(part) },
  )
  return { code, out: out.join(''), err: err.join('') }
}

/**
 * Returns the command line on a test's database, in this process. `json` gives what a command that succeeds answers to
 * a program.
 */
export function opsOn({ url: mongoUrl }: TestDatabase, env: Record<string, string> = {}) {
  const run = (...args: string[]) => runOpsHere(args, { MONGODB_URL: mongoUrl, ...env })
  const json = async (...args: string[]): Promise<unknown> => {
    const { code, out, err } = await run(...args, '--json')
    if (code !== 0) throw new Error(`ops ${args.join(' ')} ended with ${code}: ${err}`)
    return JSON.parse(out)
  }
  return { run, json, mongoUrl }
}
