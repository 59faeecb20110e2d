import { bareHost, matchesHost } from './host-name.ts'
import { RULES, type Wrapper } from './rules.ts'

const AMP_SECURE = /\/s\/$/
const TRANSLATE_PARAMETER = /^_x_tr_/

/**
 * Returns the target of a redirect or wrapper page (README step 5), as written in it; '' when it has none. Undefined
 * for a URL that is not a wrapper. Only listed hosts are wrappers: `shop.de/out?url=…` is a page of shop.de.
 */
export function unwrapOnce(url: URL): string | undefined {
  const host = bareHost(url)
  const wrapper = RULES.wrappers.find((rule) => matchesHost(host, rule.host) && isUnder(url.pathname, rule.path))
  return wrapper && targetOf(url, host, wrapper)
}

function isUnder(pathname: string, path: string): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`
  return `${pathname.toLowerCase()}/`.startsWith(folder)
}

function targetOf(url: URL, host: string, wrapper: Wrapper): string {
  if (wrapper.host_label) return untranslated(url, host, wrapper.host)
  if (wrapper.query) return url.search.slice(1)
  if (wrapper.rest) return restOfPath(url, wrapper.path)
  const values = wrapper.params.map((name) => url.searchParams.get(name) ?? '')
  return values.find((value) => value.trim() !== '') ?? ''
}

// google.com/amp/s/shop.de/x shows https://shop.de/x; without the "s", http://shop.de/x.
function restOfPath(url: URL, path: string): string {
  const rest = url.pathname.slice(path.length)
  return rest === '' ? '' : `${AMP_SECURE.test(path) ? 'https' : 'http'}://${rest}${url.search}`
}

// www-my--shop-de.translate.goog is www.my-shop.de: a dot became "-", a hyphen "--".
function untranslated(url: URL, host: string, parent: string): string {
  if (host === parent) return ''
  const label = host.slice(0, -parent.length - 1)
  const original = label.replace(/--?/g, (hyphens) => (hyphens === '--' ? '-' : '.'))
  const target = URL.parse(`https://${original}${url.pathname}${url.search}`)
  if (!target) return ''
  for (const name of [...target.searchParams.keys()]) {
    if (TRANSLATE_PARAMETER.test(name)) target.searchParams.delete(name)
  }
  return target.href
}
