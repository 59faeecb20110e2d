import { once } from 'node:events'
import type { z } from 'zod'

/** A prepared contender. `work` is measured, `close` is not. */
export type Contender = { work(): Promise<unknown>; close?(): Promise<void> }

/**
 * Runs a contender: it prepares, waits for the message "go", works, sends its answer and stays alive until it is
 * measured. When the parent leaves before, it ends without work. Without a parent process it works at once and prints its answer.
 */
export async function contend<Spec>(
  specSchema: z.ZodType<Spec>,
  prepare: (spec: Spec) => Promise<Contender>,
): Promise<void> {
  const { work, close } = await prepare(specSchema.parse(JSON.parse(process.argv[2] ?? '{}')))
  if (process.send) await underSupervision(work)
  else console.log(JSON.stringify(await work()))
  await close?.()
}

async function underSupervision(work: () => Promise<unknown>): Promise<void> {
  const dismissed = once(process, 'disconnect')
  const go = once(process, 'message')
  process.send?.('ready')
  await Promise.race([go, dismissed])
  if (!process.connected) return
  process.send?.((await work()) ?? 'done')
  await dismissed
}
