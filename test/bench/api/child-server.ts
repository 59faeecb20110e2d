import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { dismiss, message } from '../measure.ts'
import { PLAIN_NODE } from '../node-runtime.ts'

/** A server in a separate process, so that it does not share a core with its client. */
export type ChildServer = { readonly url: string; readonly pid: number; close(): Promise<void> }

/**
 * Starts a program of this folder. It reports its address, and ends when its connection to this process closes.
 * @throws Error when it does not start
 */
export async function startChildServer(
  program: string,
  env: Record<string, string>,
  runtime = PLAIN_NODE,
): Promise<ChildServer> {
  const child = spawn(process.execPath, [...runtime.flags, join(import.meta.dirname, program)], {
    env: { ...process.env, ...runtime.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = z.url().parse(await message(child, program))
  return { url, pid: child.pid ?? 0, close: () => dismiss(child) }
}
