import { type Browsers, createBrowsers } from '../browser/browsers.ts'
import type { ChromiumProblem } from '../browser/chromium-problem.ts'
import { findChromium, installedVersion } from '../browser/find-chromium.ts'
import type { LaunchSettings } from '../browser/launch.ts'
import { type EgressProxy, startEgressProxy } from '../egress/egress-proxy.ts'
import type { Guard } from '../egress/guard.ts'

export type Network = {
  readonly egress: EgressProxy
  readonly browsers: Browsers
}

type ChromiumSettings = Pick<LaunchSettings, 'log' | 'sandbox'> & {
  readonly onStart: (problem: ChromiumProblem | undefined) => void
}

/** Opens the network of a collector without launching Chromium, which is found in `env`. */
export async function openNetwork(
  guard: Guard,
  { log, ...chromium }: ChromiumSettings,
  env = process.env,
): Promise<Network> {
  const version = await installedVersion(env)
  const egress = await startEgressProxy(guard, log)
  const browsers = createBrowsers({
    find: () => findChromium({ env }),
    installedVersion: version,
    proxyServer: egress.server,
    ...chromium,
    log,
  })
  return { egress, browsers }
}
