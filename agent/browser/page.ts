import { canFail, type Logger } from '@placefleet/shared/log'
import type { BrowserContext, CDPSession, Page } from 'playwright'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { faceOf, named, wearFace } from './face.ts'

/**
 * What a page may not load besides pictures, which are off for all of Chromium: fonts, styles and media are bytes without
 * data. By address, because that is the only way that costs nothing (a route turns the cache off and costs a third more).
 */
const BLOCKED = ['svg', 'ico', 'woff', 'woff2', 'ttf', 'otf', 'css', 'mp4', 'webm', 'mp3', 'm4a', 'ogg', 'pdf', 'zip']
  .flatMap((extension) => [`*.${extension}`, `*.${extension}?*`])
  .concat(['*/maps/vt?*', '*/maps/vt/*', '*/gen_204?*'])

/** `version` is Chromium's own, e.g. 153.0.8010.0. */
export type PageSettings = {
  readonly grant: EgressGrant
  readonly language: string
  readonly version: string
  /** Added to the user agent. */
  readonly name?: string | undefined
  readonly log: Logger
}

/**
 * The HTML that a page shows now, cut inside the page: a page may draw gigabytes, which must not reach the agent's memory.
 */
export function htmlOf(page: Page, maxCharacters: number): Promise<string> {
  return page.evaluate<string>(`(document.documentElement?.outerHTML ?? '').slice(0, ${maxCharacters})`)
}

/**
 * Opens a page that goes out over the grant, loads no decoration, answers its dialogs with "no" and closes its popups.
 * Also ends what a hung script would do to us: a page that crashed is closed at once, so that nobody waits for it.
 */
export async function openPage(
  context: BrowserContext,
  { grant, language, version, name, log }: PageSettings,
): Promise<Page> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void canFail(log, 'dismissing a dialog', dialog.dismiss()))
  page.on('popup', (popup) => void canFail(log, 'closing a popup', popup.close()))
  page.on('crash', () => void canFail(log, 'closing a crashed page', page.close()))
  const session = await context.newCDPSession(page)
  await Promise.all([
    session.send('Network.enable'),
    session.send('Network.setBlockedURLs', { urls: BLOCKED }),
    logInToProxy(session, grant, log),
    wearFace(session, named(faceOf(version), name), version, language),
  ])
  return page
}

const DOCUMENTS = [{ urlPattern: '*', resourceType: 'Document' as const }]

/**
 * Makes a page log in to the egress proxy. Only documents are held for it: the first of them teaches the whole context.
 * Credentials that are given to Playwright instead switch the cache off and hold every request, so that the site's scripts
 * are loaded anew for each place.
 */
export async function logInToProxy(session: CDPSession, grant: EgressGrant, log: Logger): Promise<void> {
  const asked = new Set<string>()
  session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
    const authChallengeResponse = answerTo(source === 'Proxy' && !asked.has(requestId), grant)
    asked.add(requestId)
    const answered = session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    void canFail(log, 'logging in to the egress proxy', answered)
  })
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void canFail(log, 'letting a document be loaded', session.send('Fetch.continueRequest', { requestId }))
  })
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns: DOCUMENTS })
}

function answerTo(mayLogIn: boolean, { username, password }: EgressGrant) {
  return mayLogIn
    ? { response: 'ProvideCredentials' as const, username, password }
    : { response: 'CancelAuth' as const }
}
