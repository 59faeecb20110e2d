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
 * One Chromium behind one egress proxy for all collectors of a test file, launched when the first of them needs it and
 * closed after the file. Gives what a collector opens its network with; what any collector may reach, all may.
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

/** Chromium has no sandbox as root, as which CI runs. */
export const mayHaveSandbox = () => process.getuid?.() !== 0

/** Puts a program that ends at once in Chromium's place for a test. */
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
