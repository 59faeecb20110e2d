import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A simulated city with its map site and websites, in a separate process. */
type OutsideWorld = { mapsBaseUrl: string; proxyUrl: string; stop(): Promise<void> }

/**
 * Starts a city with `places` places in a separate process. With `https` its map site speaks HTTPS and HTTP/2: call
 * `trustSimulatedCertificate` first.
 * @param modes the modes of its map site, each as `MODE=VALUE`; `npm run map-sim -- --help` lists them
 * @throws Error when the process ends before it is ready
 */
export async function startOutsideWorldProcess(
  places: number,
  modes: readonly string[],
  { https = false } = {},
): Promise<OutsideWorld> {
  const set = modes.flatMap((mode) => ['--set', mode])
  const main = join(import.meta.dirname, 'main.ts')
  const args = [main, '--websites', '--places', String(places), ...(https ? ['--https'] : []), ...set]
  // The child is in a separate process group, so Ctrl-C does not reach it. It exits when the IPC channel closes.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true })
  const settings = new Map<string, string>()
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (name && value) settings.set(name, value)
    if (settings.size === 2) break
  }
  const [mapsBaseUrl, proxyUrl] = [settings.get('MAPS_BASE_URL'), settings.get('PROXY_URL')]
  if (!mapsBaseUrl || !proxyUrl) throw new Error('The simulated city ended before it was ready.')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { mapsBaseUrl, proxyUrl, stop }
}
