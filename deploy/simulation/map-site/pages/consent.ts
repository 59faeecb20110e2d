import { type Exchange, htmlReply, type Reply, redirect } from '../exchange.ts'
import { siteLanguage, wordsOf } from '../language.ts'
import type { Site } from '../site.ts'
import { escapeHtml } from './html.ts'

const hidden = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

const form = (base: string, label: string, fields: Record<string, string>) =>
  `<form action="${base}/save" method="POST" style="display:inline;"><div class="lssxud"><button class="UywwFc-LgbsSe XWZjwc" aria-label="${escapeHtml(label)}"><span aria-hidden='true'>${escapeHtml(label)}</span></button></div>${hidden(fields)}</form>`

const CONSTANT = { m: '0', app: '0', pc: 'm', x: '6', src: '1', cm: '2', escs: 'ATu9isG1VnfmQ3qZJOCBADVFQNHC0JlmENAd' }

/** Returns the consent page. It has the forms to reject and to accept, each twice; only their fields differ. */
export function consentPage({ origin, consentBase }: Site, { url, hl }: Exchange): Reply {
  const { page } = wordsOf(siteLanguage(hl))
  const common = {
    gl: url.searchParams.get('gl') ?? 'DE',
    hl,
    continue: url.searchParams.get('continue') ?? `${origin()}/maps`,
    ...CONSTANT,
  }
  const reject = form(consentBase(), page.rejectAll, { ...common, set_eom: 'true' })
  const accept = form(consentBase(), page.acceptAll, { ...common, set_sc: 'true', set_aps: 'true', set_eom: 'false' })
  return htmlReply(
    `<!DOCTYPE html><html lang="${escapeHtml(hl)}"><head><meta charset="utf-8"><title>${escapeHtml(page.beforeYouContinue)}</title></head><body><h1>${escapeHtml(page.beforeYouContinue)}</h1><div>${reject}${accept}</div><div class="FCY2lb">${accept}${reject}</div></body></html>`,
  )
}

/** Answers `POST /consent/save`: sets the SOCS cookie and redirects back, only to URLs of this site. */
export function saveConsent(site: Site, { body }: Exchange): Reply {
  const origin = site.origin()
  const fields = new URLSearchParams(body)
  const target = fields.get('continue') ?? ''
  const accepted = fields.get('set_eom') === 'false'
  const value = accepted
    ? 'CAISNQgDEitib3FfaWRlbnRpdHlmcm9udGVuZHVpc2VydmVy'
    : 'CAESHAgBEhJnd3NfMjAyNjA5MDItMF9SQzIaAmRlIAEaBgiA'
  const reply = redirect(target.startsWith(`${origin}/`) ? target : `${origin}/maps`)
  return { ...reply, cookies: [`SOCS=${value}; Path=/; Max-Age=34128000; SameSite=Lax`] }
}
