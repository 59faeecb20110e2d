import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Network, openNetwork } from '@placefleet/agent/collect/network'
import type { Guard } from '@placefleet/agent/egress/guard'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { createLogger } from '@placefleet/shared/log'
import { afterAll, onTestFinished, vi } from 'vitest'
import { ownChromium } from './chromiums.ts'
import { temporaryDir } from './temporary-dir.ts'

/**
 * Shares one Chromium behind one egress proxy between all collectors of a test file. Launches it on first use and
 * closes it after the file. Returns the function that opens a collector's network. All collectors may reach what one of
 * them may reach.
 * @param lookup resolves names instead of the system.
 * @param env the environment in which Chromium is found.
 */
export function sharedBrowser({
  lookup,
  env = ownChromium(),
}: {
  lookup?: Lookup
  env?: NodeJS.ProcessEnv
} = {}): (guard: Guard) => Promise<Network> {
  const log = createLogger('test', 'silent')
  const allow = new Set<string>()
  let network: Promise<Network> | undefined
  afterAll(async () => {
    const opened = await network
    await opened?.browsers.close()
    await opened?.egress.close()
  })
  return async (guard) => {
    for (const host of guard.allow) allow.add(host)
    network ??= openNetwork(
      lookup ? { allow, lookup } : { allow },
      { log, sandbox: mayHaveSandbox(), onStart: () => undefined },
      env,
    )
    const { egress, browsers } = await network
    return {
      egress: { ...egress, close: async () => undefined },
      browsers: { ...browsers, close: async () => undefined },
    }
  }
}

/** CI runs as root, and Chromium has no sandbox as root. */
export const mayHaveSandbox = () => process.getuid?.() !== 0

/** Replaces Chromium for a test by a program that exits at once. */
export function brokenChromium(): void {
  const program = join(temporaryDir(), 'chromium')
  writeFileSync(program, '#!/bin/sh\nexit 3\n', { mode: 0o700 })
  vi.stubEnv('CHROMIUM_PATH', program)
  onTestFinished(() => void vi.unstubAllEnvs())
}
