import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const WORLD = join(import.meta.dirname, '..', 'simulation', 'main.ts')

/** A simulated city with its map site and websites, in a process of its own. */
export type OutsideWorld = { mapsBaseUrl: string; proxyUrl: string; stop(): Promise<void> }

/**
 * Starts a city of so many places, whose map site lets only browsers in: the demo shows a real Chromium at work.
 * @throws Error when the process ends before it has started.
 */
export async function startOutsideWorldProcess(places: number): Promise<OutsideWorld> {
  const args = [WORLD, '--places', String(places), '--set', 'blockPlainHttp=until-browser-cookie']
  // The IPC channel tells the child of our end; a group of its own keeps Ctrl-C from it until its turn.
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

/** The settings that the child prints, NAME=value a line. */
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
