import type { Logger } from '@placefleet/shared/log'
import type { Browser } from 'playwright'
import type { ChromiumProgram } from './unpack-chromium.ts'
import { BrowserFailed, within } from './within.ts'

/** A running Chromium and the means to end it when it no longer listens. */
export type RunningChromium = {
  readonly browser: Browser
  /** Closes it, and kills its whole process group if that takes more than a few seconds. */
  end(): Promise<void>
}

const LAUNCH_MS = 30_000
const CLOSE_MS = 3_000

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic', // UDP would not pass the egress proxy
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp', // nor would WebRTC
  '--disable-blink-features=AutomationControlled',
  '--blink-settings=imagesEnabled=false', // by kind, for the site's pictures have no extension to know them by
]

/**
 * Launches Chromium. `proxyServer` is the way out of anything that has no context, and knows no credentials, so that
 * nothing leaves by itself. Throws BrowserFailed('unavailable').
 */
export async function launchChromium(
  find: () => Promise<ChromiumProgram>,
  proxyServer: string,
  log: Logger,
): Promise<RunningChromium> {
  try {
    const { executablePath, env } = await find()
    const { chromium } = await import('playwright') // 60 MB that an agent on plain HTTP never needs
    const browser = await chromium.launch({
      executablePath,
      env: { ...definedOf(process.env), ...env },
      chromiumSandbox: process.getuid?.() !== 0, // root cannot have one
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
      proxy: { server: proxyServer },
      args: ARGUMENTS,
    })
    const pid = await processId(browser)
    log.debug({ pid, version: browser.version() }, 'Chromium launched')
    return { browser, end: () => end(browser, pid, log) }
  } catch (error) {
    throw new BrowserFailed('unavailable', error)
  }
}

async function processId(browser: Browser): Promise<number> {
  const session = await within(browser.newBrowserCDPSession(), LAUNCH_MS)
  const { processInfo } = await within(session.send('SystemInfo.getProcessInfo'), LAUNCH_MS)
  const main = processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('Chromium does not tell its process id')
  await session.detach()
  return main.id
}

async function end(browser: Browser, pid: number, log: Logger): Promise<void> {
  try {
    await within(browser.close(), CLOSE_MS)
  } catch (error) {
    log.warn({ err: error, pid }, 'Chromium does not close and is killed')
    killGroup(pid, log)
  }
}

// Playwright starts Chromium as the leader of a process group of its own.
function killGroup(pid: number, log: Logger): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    log.debug({ err: error, pid }, 'Chromium had already ended')
  }
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
