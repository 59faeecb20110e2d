import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'
import type { Browser } from 'playwright'
import { languagesOf, profileOf } from './browser-profile.ts'
import { ChromiumUnavailable, diagnose, NEEDS_USER } from './chromium-problem.ts'
import type { ChromiumProgram } from './unpack-chromium.ts'
import { BrowserFailed, within } from './within.ts'

/** A running Chromium. It can be killed even when it does not respond. */
export type RunningChromium = {
  readonly browser: Browser
  /** Closes Chromium. Kills its process group after a few seconds. */
  end(): Promise<void>
}

const LAUNCH_MS = 30_000
const CLOSE_MS = 3_000

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic', // UDP would not pass the egress proxy
  // WebRTC would not use it either. The headless shell knows the first name, the full Chromium the second.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-blink-features=AutomationControlled',
  // Of workers, which the emulation of a page does not reach. The default follows LANG and may be "en-US@posix".
  `--accept-lang=${languagesOf('en')}`,
  '--blink-settings=imagesEnabled=false', // blocked by type, because the site's images have no file extension
]

/** The environment variables that Chromium gets. Others may hold secrets, and Chromium runs strangers' pages. */
const PASSED_ON = /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH)$/

/** The options for starting Chromium. */
export type LaunchSettings = {
  readonly find: () => Promise<ChromiumProgram>
  /** The egress proxy. It serves no request without credentials, so that only contexts with a grant reach anything. */
  readonly proxyServer: string
  /** False only when the operator disabled the sandbox: then pages of strangers run with the rights of the agent. */
  readonly sandbox: boolean
  /** The version of the Chromium that `find` finds, e.g. 153.0.8010.0. */
  readonly installedVersion: string
  readonly log: Logger
}

/** Launches Chromium. Throws BrowserFailed('unavailable') with a ChromiumUnavailable as its cause. */
export async function launchChromium(settings: LaunchSettings): Promise<RunningChromium> {
  const { find, proxyServer, sandbox, installedVersion, log } = settings
  try {
    if (sandbox && process.getuid?.() === 0) throw new ChromiumUnavailable(NEEDS_USER)
    const { executablePath, env } = await find()
    const { chromium } = await import('playwright') // loads 60 MB, which an agent on plain HTTP never needs
    const browser = await chromium.launch({
      executablePath,
      env: { ...passedOn(process.env), ...env },
      chromiumSandbox: sandbox,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_MS,
      proxy: { server: proxyServer },
      // A page may send something after its session has ended. Chromium's own user agent has the word "Headless".
      args: [
        ...ARGUMENTS,
        ...trustArguments(process.env.NODE_EXTRA_CA_CERTS),
        `--user-agent=${profileOf(installedVersion).userAgent}`,
      ],
    })
    const pid = await processId(browser)
    log.debug({ pid, version: browser.version() }, 'Chromium launched')
    return { browser, end: () => end(browser, pid, log) }
  } catch (error) {
    if (error instanceof ChromiumUnavailable) throw new BrowserFailed('unavailable', error)
    throw new BrowserFailed('unavailable', new ChromiumUnavailable(await diagnose(reasonOf(error)), error))
  }
}

async function processId(browser: Browser): Promise<number> {
  const session = await within(browser.newBrowserCDPSession(), LAUNCH_MS)
  const { processInfo } = await within(session.send('SystemInfo.getProcessInfo'), LAUNCH_MS)
  const main = processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('Chromium does not report its process id')
  await session.detach()
  return main.id
}

async function end(browser: Browser, pid: number, log: Logger): Promise<void> {
  try {
    await within(browser.close(), CLOSE_MS)
  } catch (error) {
    log.warn({ err: error, pid }, 'Chromium does not close; killing it')
    try {
      process.kill(-pid, 'SIGKILL') // Playwright starts Chromium as the leader of its own process group
    } catch (gone) {
      log.debug({ err: gone, pid }, 'Chromium had already ended')
    }
  }
}

const passedOn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)))

const PEM = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

/**
 * Returns the arguments by which Chromium trusts what Node trusts through NODE_EXTRA_CA_CERTS, e.g. the authority of a
 * network that inspects TLS. Chromium reads no file of certificates: it takes the SHA-256 of their public keys.
 */
function trustArguments(file: string | undefined): string[] {
  try {
    const certificates = file ? (readFileSync(file, 'utf8').match(PEM) ?? []) : []
    const hashes = certificates.map((pem) => {
      const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
      return createHash('sha256').update(key).digest('base64')
    })
    return hashes.length > 0 ? [`--ignore-certificate-errors-spki-list=${hashes.join()}`] : []
  } catch {
    return [] // Node has warned of a file that it cannot read, and goes on without it
  }
}
