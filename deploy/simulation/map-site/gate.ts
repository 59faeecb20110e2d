import { hasProofCookie, isMadeByPage } from './browser-proof.ts'
import { isPage, isPayload } from './classify.ts'
import type { Kind, Refusal } from './counters.ts'
import type { Exchange, Reply } from './exchange.ts'
import { redirect } from './exchange.ts'
import { sorryPage } from './pages/sorry.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Site } from './site.ts'

/** Why and how a request is turned away. */
export interface TurnedAway {
  refusal: Refusal
  reply: Reply
}

const looksLikeBrowser = (exchange: Exchange, mode: 'until-browser-cookie' | 'always') =>
  mode === 'always' ? isMadeByPage(exchange) : hasProofCookie(exchange) || isMadeByPage(exchange)

/** Whether a page may hold its payload: not for clients that are kept from payloads. */
export function mayEmbedPayload(site: Site, exchange: Exchange): boolean {
  const mode = site.options().blockPlainHttp
  return mode === false || (mode === 'until-browser-cookie' && hasProofCookie(exchange))
}

/** Pages lead to the captcha by redirect; for payloads its page is the answer. */
const captcha = (site: Site, exchange: Exchange, kind: Kind): Reply => {
  const asked = `${site.origin()}${exchange.url.pathname}${exchange.url.search}`
  if (!isPage(kind)) return sorryPage(asked, exchange.address)
  return redirect(`${site.origin()}/sorry/index?continue=${encodeURIComponent(asked)}&q=EgR_AAAB`)
}

const consentWall = (site: Site, exchange: Exchange): Reply => {
  const asked = `${site.origin()}${exchange.url.pathname}${exchange.url.search}`
  const hl = exchange.url.searchParams.get('hl') ?? 'en'
  return redirect(
    `${site.origin()}/consent/m?continue=${encodeURIComponent(asked)}&gl=DE&m=0&pc=m&cm=2&hl=${encodeURIComponent(hl)}&src=1`,
  )
}

/** Decides whether a page or payload is refused: rate limit first, then the consent wall, then the bar to non-browsers. */
export function turnAway(site: Site, limits: RateLimits, exchange: Exchange, kind: Kind): TurnedAway | undefined {
  const { rateLimit, consent, blockPlainHttp } = site.options()
  if (rateLimit && limits.isOver(exchange.address, rateLimit))
    return { refusal: 'rate-limited', reply: captcha(site, exchange, kind) }
  if (consent && !exchange.cookies.has('SOCS')) return { refusal: 'consent', reply: consentWall(site, exchange) }
  if (blockPlainHttp && isPayload(kind) && !looksLikeBrowser(exchange, blockPlainHttp))
    return { refusal: 'blocked', reply: captcha(site, exchange, kind) }
  return undefined
}
