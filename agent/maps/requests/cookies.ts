import type { BrowserContext } from 'playwright'
import { Cookie, type CookieJar } from 'tough-cookie'
import type { BrowserSession, StorageState } from '../../browser/session.ts'

type ChromiumCookie = StorageState['cookies'][number]

/** Keeps the cookies of Chromium and those of plain HTTP the same: the site sees one client. */
type SharedCookies = {
  /** Returns the cookies of the jar, for a session that is opened. */
  forChromium(): Promise<ChromiumCookie[]>
  /** Gives a session the cookies that plain HTTP got since the last copy. */
  toChromium(session: BrowserSession): Promise<void>
  /** Puts the cookies of a session into the jar. */
  toJar(session: BrowserSession): Promise<void>
}

/** Creates the copies between a jar and Chromium. */
export function shareCookies(jar: CookieJar): SharedCookies {
  let copied = ''
  const changed = async () => {
    const cookies = await cookiesOf(jar)
    const text = JSON.stringify(cookies)
    if (text === copied) return undefined
    copied = text
    return cookies
  }
  return {
    async forChromium() {
      await changed()
      return cookiesOf(jar)
    },
    async toChromium(session) {
      const cookies = await changed()
      if (cookies) await session.addCookies(cookies)
    },
    async toJar(session) {
      for (const cookie of await session.cookies()) await put(jar, cookie)
      await changed()
    },
  }
}

const SAME_SITE = { strict: 'Strict', none: 'None' } as const

async function cookiesOf(jar: CookieJar): Promise<ChromiumCookie[]> {
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

async function put(jar: CookieJar, cookie: Awaited<ReturnType<BrowserContext['cookies']>>[number]): Promise<void> {
  const { name, value, domain, path, secure, httpOnly, expires, sameSite } = cookie
  const host = domain.replace(/^\./, '')
  const wide = domain.startsWith('.') ? { domain: host } : {} // without a domain a cookie belongs only to this host
  const until = expires > 0 ? { expires: new Date(expires * 1000) } : {}
  const same = { sameSite: sameSite.toLowerCase() }
  const copy = new Cookie({ key: name, value, path, secure, httpOnly, ...wide, ...until, ...same })
  await jar.setCookie(copy, `https://${host}/`, { ignoreError: true })
}
