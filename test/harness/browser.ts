import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBrowsers } from '@placefleet/agent/browser/browsers'
import { findChromium, installedVersion } from '@placefleet/agent/browser/find-chromium'
import type { Network } from '@placefleet/agent/collect/collector'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import type { Guard } from '@placefleet/agent/egress/guard'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { createLogger } from '@placefleet/shared/log'
import { afterAll, onTestFinished, vi } from 'vitest'

/**
 * Shares one Chromium behind one egress proxy between all collectors of a test file. Launches it on first use and
 * closes it after the file. Returns the function that opens a collector's network. All collectors may reach what one of
 * them may reach.
 * @param lookup resolves names instead of the system.
 */
export function sharedBrowser(lookup?: Lookup): (guard: Guard) => Promise<Network> {
  const log = createLogger('test', 'silent')
  const allow = new Set<string>()
  let network: Promise<Network> | undefined
  const start = async (): Promise<Network> => {
    const egress = await startEgressProxy(lookup ? { allow, lookup } : { allow }, log)
    const browsers = createBrowsers({
      find: findChromium,
      installedVersion: await installedVersion(),
      proxyServer: egress.server,
      sandbox: mayHaveSandbox(),
      log,
    })
    return { egress, browsers }
  }
  afterAll(async () => {
    const opened = await network
    await opened?.browsers.close()
    await opened?.egress.close()
  })
  return async (guard) => {
    for (const host of guard.allow) allow.add(host)
    network ??= start()
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
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-chromium-'))
  const program = join(dir, 'chromium')
  writeFileSync(program, '#!/bin/sh\nexit 3\n', { mode: 0o700 })
  vi.stubEnv('CHROMIUM_PATH', program)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(dir, { recursive: true })
  })
}
