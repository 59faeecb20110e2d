import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const WORLD = join(import.meta.dirname, 'main.ts')

/** A simulated city with its map site and websites, in a process of its own. */
export type OutsideWorld = { mapsBaseUrl: string; proxyUrl: string; stop(): Promise<void> }

/**
 * Starts a city with this many places.
 * @param modes how its map site behaves, each as `MODE=VALUE`; `npm run map-sim -- --help` lists them.
 * @throws Error when the process ends before it is ready.
 */
export async function startOutsideWorldProcess(places: number, modes: readonly string[]): Promise<OutsideWorld> {
  const args = [WORLD, '--places', String(places), ...modes.flatMap((mode) => ['--set', mode])]
  // The end of the IPC channel tells the child that we are gone; in its own process group Ctrl-C does not reach it.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true })
  const settings = await firstLines(child)
  const mapsBaseUrl = settings.get('MAPS_BASE_URL')
  const proxyUrl = settings.get('PROXY_URL')
  if (!mapsBaseUrl || !proxyUrl) throw new Error('the simulated city did not start')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { mapsBaseUrl, proxyUrl, stop }
}

/** The settings that the child prints, one NAME=value per line. */
async function firstLines(child: ChildProcess): Promise<Map<string, string>> {
  const settings = new Map<string, string>()
  if (!child.stdout) return settings
  for await (const line of createInterface(child.stdout)) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (name && value) settings.set(name, value)
    if (settings.size === 2) break
  }
  return settings
}
