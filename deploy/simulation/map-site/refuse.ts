import { isPage, isPayload, type Kind } from './classify.ts'
import type { Refusal } from './counters.ts'
import { type Exchange, errorReply, isMadeByPage, type Reply, redirect } from './exchange.ts'
import { noScriptPage, sorryPage, sorryStub } from './pages/sorry.ts'
import type { Site } from './site.ts'

function refusalReply(site: Site, { url, address }: Exchange, kind: Kind): Reply {
  const target = `${site.origin()}${url.pathname}${url.search}`
  const sorry = `${site.origin()}/sorry/index?continue=${encodeURIComponent(target)}&q=EgR_AAAB`
  const form = site.options().refusalForm
  switch (form) {
    case 'by-kind':
      return isPage(kind) ? redirect(sorry) : sorryPage(target, address)
    case '302':
      return redirect(sorry)
    case 'stub':
      return sorryStub(sorry)
    case 'bare-403':
      return errorReply(403)
    case 'enablejs':
    case 'sg-rel':
      return noScriptPage(form === 'sg-rel')
    default:
      return sorryPage(target, address, Number(form))
  }
}

const consentWall = (site: Site, { url, hl }: Exchange): Reply => {
  const address = encodeURIComponent(`${site.origin()}${url.pathname}${url.search}`)
  return redirect(`${site.consentBase()}/m?continue=${address}&gl=DE&m=0&pc=m&cm=2&hl=${encodeURIComponent(hl)}&src=1`)
}

/**
 * Decides whether a request for a page or payload is refused. Checks in this order: a block of the exit, the consent
 * wall, the refusal of clients without scripts.
 */
export function refusalFor(site: Site, exchange: Exchange, kind: Kind): { refusal: Refusal; reply: Reply } | undefined {
  const options = site.options()
  const block = site.exits.judge(exchange.address, options)
  if (block) {
    const reply = refusalReply(site, exchange, kind)
    const seconds = Math.max(1, Math.ceil((block.until - Date.now()) / 1_000))
    const retry = options.retryAfter && Number.isFinite(seconds) ? { 'retry-after': String(seconds) } : {}
    const refusal = block.running ? 'blocked-still' : 'rate-limited'
    return { refusal, reply: { ...reply, headers: { ...reply.headers, ...retry } } }
  }
  if (options.consent && !exchange.cookies.has('SOCS'))
    return { refusal: 'consent', reply: consentWall(site, exchange) }
  if (options.blockPlainHttp && isPayload(kind) && !isMadeByPage(exchange))
    return { refusal: 'blocked', reply: refusalReply(site, exchange, kind) }
  return undefined
}
