import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A simulated map site in a separate process, so that its work is not measured. */
export type SiteProcess = {
  readonly url: string
  /** Returns what the site was asked and sent since the last call: requests, and bytes with the encryption. */
  takeTraffic(): Promise<Traffic>
  close(): Promise<void>
}

export type Traffic = { readonly requests: number; readonly bytes: number }

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'deploy', 'simulation', 'main.ts')
const Requests = z.object({ total: z.int() })

/** The bytes that a process has written: a site writes to its sockets only. */
function sentBytes(pid: number | undefined): number {
  const [, bytes] = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? []
  return Number(bytes)
}

/**
 * Starts the site on a free port.
 * @throws Error when it does not start
 */
export async function startSiteProcess({ seed, places }: { seed: number; places: number }): Promise<SiteProcess> {
  const args = [PROGRAM, '--port', '0', '--seed', String(seed), '--places', String(places), '--https']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(20_000) })
  const url = z.string().startsWith('MAPS_BASE_URL=').parse(line).slice('MAPS_BASE_URL='.length)
  const counts = `${url}/__sim/requests`
  let sent = sentBytes(child.pid)
  return {
    url,
    async takeTraffic() {
      const before = sent
      sent = sentBytes(child.pid)
      const bytes = sent - before
      const { total: requests } = Requests.parse(await (await fetch(counts)).json())
      await (await fetch(counts, { method: 'DELETE' })).text()
      sent = sentBytes(child.pid) // without the two answers here
      return { requests, bytes }
    },
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
