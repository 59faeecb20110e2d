import { isMadeByPage } from './browser-proof.ts'
import { isPage, isPayload } from './classify.ts'
import type { Kind, Refusal } from './counters.ts'
import { type Exchange, errorReply, type Reply, redirect } from './exchange.ts'
import type { Block, Exits } from './exits.ts'
import { noScriptPage, sorryPage, sorryStub } from './pages/sorry.ts'
import type { Site } from './site.ts'

/** A refused request: why, and the answer that says so. */
interface RefusedRequest {
  refusal: Refusal
  reply: Reply
}

const requestedAddress = (site: Site, { url }: Exchange) => `${site.origin()}${url.pathname}${url.search}`

const sorryAddress = (site: Site, exchange: Exchange) =>
  `${site.origin()}/sorry/index?continue=${encodeURIComponent(requestedAddress(site, exchange))}&q=EgR_AAAB`

function refusalReply(site: Site, exchange: Exchange, kind: Kind): Reply {
  const { refusalForm } = site.options()
  const page = (status: number) => sorryPage(requestedAddress(site, exchange), exchange.address, status)
  switch (refusalForm) {
    case 'by-kind':
      return isPage(kind) ? redirect(sorryAddress(site, exchange)) : page(429)
    case '302':
      return redirect(sorryAddress(site, exchange))
    case 'stub':
      return sorryStub(sorryAddress(site, exchange))
    case 'bare-403':
      return errorReply(403)
    case 'enablejs':
    case 'sg-rel':
      return noScriptPage(refusalForm === 'sg-rel')
    default:
      return page(Number(refusalForm))
  }
}

function blockedReply(site: Site, exchange: Exchange, kind: Kind, { until }: Block): Reply {
  const reply = refusalReply(site, exchange, kind)
  if (!site.options().retryAfter || !Number.isFinite(until)) return reply
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000))
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } }
}

const consentWall = (site: Site, exchange: Exchange): Reply => {
  const hl = exchange.url.searchParams.get('hl') ?? 'en'
  const address = encodeURIComponent(requestedAddress(site, exchange))
  return redirect(`${site.consentBase()}/m?continue=${address}&gl=DE&m=0&pc=m&cm=2&hl=${encodeURIComponent(hl)}&src=1`)
}

const mustConsent = ({ options }: Site, { cookies }: Exchange): boolean => options().consent && !cookies.has('SOCS')

/**
 * Decides whether a request for a page or payload is refused. Checks in this order: a block of the exit, the consent
 * wall, the refusal of clients without scripts.
 */
export function refusalFor(site: Site, exits: Exits, exchange: Exchange, kind: Kind): RefusedRequest | undefined {
  const options = site.options()
  const block = exits.judge(exchange.address, options)
  if (block)
    return {
      refusal: block.running ? 'blocked-still' : 'rate-limited',
      reply: blockedReply(site, exchange, kind, block),
    }
  if (mustConsent(site, exchange)) return { refusal: 'consent', reply: consentWall(site, exchange) }
  const { blockPlainHttp } = options
  if (blockPlainHttp && isPayload(kind) && !isMadeByPage(exchange))
    return { refusal: 'blocked', reply: refusalReply(site, exchange, kind) }
  return undefined
}
