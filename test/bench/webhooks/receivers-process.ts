import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

/** Receivers in a separate process, so that their work is not measured. */
export type Receivers = {
  readonly ca: string
  /** The address and port of each receiver. */
  readonly hosts: string[]
  /** Returns the requests since the last call, and the number of different deliveries. */
  take(): Promise<{ posts: number; ids: number }>
  close(): Promise<void>
}

const Started = z.object({ ca: z.string(), hosts: z.array(z.string()) })
const Taken = z.object({ posts: z.int(), ids: z.int() })

/** Starts this many receivers, each at its own loopback address. */
export async function startReceivers(count: number): Promise<Receivers> {
  const program = join(import.meta.dirname, 'receivers.ts')
  const child = spawn(process.execPath, [program, String(count)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const next = async () => (await once(child, 'message', { signal: AbortSignal.timeout(20_000) }))[0]
  const { ca, hosts } = Started.parse(await next())
  return {
    ca,
    hosts,
    async take() {
      const answer = next()
      child.send('take')
      return Taken.parse(await answer)
    },
    async close() {
      child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
