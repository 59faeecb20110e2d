import { canFail, type Logger } from '@placefleet/shared/log'
import type { BrowserContext, CDPSession, Page, Response } from 'playwright'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { applyProfile, named, profileOf } from './browser-profile.ts'

/**
 * The URLs that a page may not load: fonts, styles, media and map tiles hold no data. Chromium loads no images at all.
 * URL patterns cost nothing: a Playwright route would turn off the cache and use a third more CPU.
 */
const BLOCKED = ['svg', 'ico', 'woff', 'woff2', 'ttf', 'otf', 'css', 'mp4', 'webm', 'mp3', 'm4a', 'ogg', 'pdf', 'zip']
  .flatMap((extension) => [`*.${extension}`, `*.${extension}?*`])
  .concat(['*/maps/vt?*', '*/maps/vt/*', '*/gen_204?*'])

/** `version` is the version of Chromium, e.g. 153.0.8010.0. */
type PageSettings = {
  readonly grant: EgressGrant
  readonly language: string
  readonly version: string
  /** Added to the user agent. */
  readonly name?: string | undefined
  readonly log: Logger
}

/** Cut inside the page, because the memory of the agent could not hold gigabytes. */
export function htmlOf(page: Page, maxCharacters: number): Promise<string> {
  return page.evaluate<string>(`(document.documentElement?.outerHTML ?? '').slice(0, ${maxCharacters})`)
}

/** Chromium's error for an HTTP error without a body. It shows a page of its own instead. */
const ERROR_ALONE = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'

/**
 * Navigates like `page.goto`, and also returns an HTTP error that has no body: the headless shell shows it as an empty
 * page, but for the full Chromium, e.g. Debian's, it is a failed navigation. The body of such an answer cannot be read.
 */
export async function goTo(page: Page, url: URL, options: Parameters<Page['goto']>[1]): Promise<Response | null> {
  const answers: Response[] = []
  const add = (response: Response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) answers.push(response)
  }
  page.on('response', add)
  try {
    return await page.goto(url.href, options)
  } catch (error) {
    const last = answers.at(-1)
    if (last && error instanceof Error && error.message.includes(ERROR_ALONE)) return last
    throw error
  } finally {
    page.off('response', add)
  }
}

/**
 * Opens a page that uses the grant, loads no fonts, styles or media, dismisses dialogs and closes popups. A page that
 * crashes is closed at once, so that its caller does not wait for it.
 */
export async function openPage(context: BrowserContext, settings: PageSettings): Promise<Page> {
  const page = await context.newPage()
  try {
    return await prepared(context, page, settings)
  } catch (error) {
    await canFail(settings.log, 'closing a page that cannot be used', page.close())
    throw error
  }
}

async function prepared(context: BrowserContext, page: Page, settings: PageSettings): Promise<Page> {
  const { grant, language, version, name, log } = settings
  page.on('dialog', (dialog) => void canFail(log, 'dismissing a dialog', dialog.dismiss()))
  page.on('popup', (popup) => void canFail(log, 'closing a popup', popup.close()))
  page.on('crash', () => void canFail(log, 'closing a crashed page', page.close()))
  const session = await context.newCDPSession(page)
  await Promise.all([
    session.send('Network.enable'),
    session.send('Network.setBlockedURLs', { urls: BLOCKED }),
    logInToProxy(session, grant, log),
    applyProfile(session, named(profileOf(version), name), version, language),
  ])
  return page
}

const DOCUMENTS = [{ urlPattern: '*', resourceType: 'Document' as const }]

/**
 * Makes a page log in to the egress proxy. Intercepts only documents: after the first one the whole context knows the
 * credentials. Credentials given to Playwright would turn off the cache and intercept every request, so that each place
 * would load the site's scripts again.
 */
async function logInToProxy(session: CDPSession, grant: EgressGrant, log: Logger): Promise<void> {
  const challenged = new Set<string>()
  const { username, password } = grant
  session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
    const mayLogIn = source === 'Proxy' && !challenged.has(requestId)
    challenged.add(requestId)
    const authChallengeResponse = mayLogIn
      ? { response: 'ProvideCredentials' as const, username, password }
      : { response: 'CancelAuth' as const }
    const answered = session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    void canFail(log, 'logging in to the egress proxy', answered)
  })
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void canFail(log, 'letting a document load', session.send('Fetch.continueRequest', { requestId }))
  })
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns: DOCUMENTS })
}
