import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A simulated map site in a separate process, so that its work is not measured. */
export type SiteProcess = {
  readonly url: string
  /** Returns the number of requests since the last call. */
  takeRequests(): Promise<number>
  close(): Promise<void>
}

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'deploy', 'simulation', 'map-site', 'main.ts')
const Requests = z.object({ total: z.int() })

/**
 * Starts the site on a free port.
 * @throws Error when it does not start
 */
export async function startSiteProcess({ seed, places }: { seed: number; places: number }): Promise<SiteProcess> {
  const args = [PROGRAM, '--port', '0', '--seed', String(seed), '--places', String(places), '--https']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(20_000) })
  const url = z.string().startsWith('MAPS_BASE_URL=').parse(line).slice('MAPS_BASE_URL='.length)
  const requests = `${url}/__sim/requests`
  return {
    url,
    async takeRequests() {
      const { total } = Requests.parse(await (await fetch(requests)).json())
      await (await fetch(requests, { method: 'DELETE' })).text()
      return total
    },
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
