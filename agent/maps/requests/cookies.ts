import { Cookie, type CookieJar } from 'tough-cookie'
import type { BrowserSession, StorageState } from '../../browser/session.ts'

// The site sees one client: Chromium and plain HTTP have the same cookies.

const SAME_SITE = { strict: 'Strict', none: 'None' } as const

/** Returns the cookies of a jar as Chromium takes them. */
export async function cookiesForChromium(jar: CookieJar): Promise<StorageState['cookies']> {
  const all = await jar.store.getAllCookies()
  return all.map(({ key, value, domain, hostOnly, path, expires, httpOnly, secure, sameSite }) => ({
    name: key,
    value,
    domain: hostOnly ? (domain ?? '') : `.${domain}`,
    path: path ?? '/',
    expires: expires instanceof Date ? expires.getTime() / 1_000 : -1,
    httpOnly,
    secure,
    sameSite: sameSite === 'strict' || sameSite === 'none' ? SAME_SITE[sameSite] : 'Lax',
  }))
}

export async function cookiesToJar(session: BrowserSession, jar: CookieJar): Promise<void> {
  for (const { name, value, domain, path, secure, httpOnly, expires, sameSite } of await session.cookies()) {
    const host = domain.replace(/^\./, '')
    const wide = domain.startsWith('.') ? { domain: host } : {} // without a domain a cookie belongs only to this host
    const until = expires > 0 ? { expires: new Date(expires * 1_000) } : {}
    const same = { sameSite: sameSite.toLowerCase() }
    const copy = new Cookie({ key: name, value, path, secure, httpOnly, ...wide, ...until, ...same })
    await jar.setCookie(copy, `https://${host}/`, { ignoreError: true })
  }
}
