import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const WORLD = join(import.meta.dirname, 'main.ts')

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
  const args = [
    WORLD,
    '--websites',
    '--places',
    String(places),
    ...(https ? ['--https'] : []),
    ...modes.flatMap((mode) => ['--set', mode]),
  ]
  // The child is in a separate process group, so Ctrl-C does not reach it. It exits when the IPC channel closes.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true })
  const settings = await printedSettings(child)
  const mapsBaseUrl = settings.get('MAPS_BASE_URL')
  const proxyUrl = settings.get('PROXY_URL')
  if (!mapsBaseUrl || !proxyUrl) throw new Error('The simulated city ended before it was ready.')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { mapsBaseUrl, proxyUrl, stop }
}

/** Reads the settings that the child prints, one NAME=value per line. */
async function printedSettings(child: ChildProcess): Promise<Map<string, string>> {
  const settings = new Map<string, string>()
  if (!child.stdout) return settings
  for await (const line of createInterface(child.stdout)) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (name && value) settings.set(name, value)
    if (settings.size === 2) break
  }
  return settings
}
