import { CookieJar } from 'tough-cookie'

/** The end of a chain of redirects. */
export type Arrival = { url: URL; status: number; text: string; headers: Headers }

/** The parts of a browser that a sign-in needs: cookies and redirects. */
export type Browser = {
  jar: CookieJar
  /** Opens a URL and follows redirects, until there is none or `until` returns true for the next URL. */
  open(url: string, until?: (next: URL) => boolean): Promise<Arrival>
  /** Submits a form. */
  submit(url: string, fields: Record<string, string>): Promise<Arrival>
  /** Calls an API from a page of the same site. */
  call(method: string, url: string, body?: unknown): Promise<Arrival>
}

const MAX_REDIRECTS = 20

/** Tests restart servers on the same port. A kept connection would lead to the old server. */
export const NEW_CONNECTION = { connection: 'close' }

/** Creates a browser without cookies. */
export function createBrowser(): Browser {
  const jar = new CookieJar()
  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    const headers = new Headers({ ...NEW_CONNECTION, ...init.headers })
    const cookie = await jar.getCookieString(url.href)
    if (cookie !== '') headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) await jar.setCookie(line, url.href)
    return response
  }
  const arrival = async (url: URL, response: Response): Promise<Arrival> => ({
    url,
    status: response.status,
    text: await response.text(),
    headers: response.headers,
  })
  return {
    jar,
    async open(address, until = () => false) {
      let url = new URL(address)
      for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
        const response = await request(url, { headers: { accept: 'text/html' } })
        const location = response.headers.get('location')
        if (location === null) return arrival(url, response)
        const next = new URL(location, url)
        if (until(next)) return { url: next, status: 0, text: '', headers: response.headers }
        await response.body?.cancel()
        url = next
      }
      throw new Error(`more than ${MAX_REDIRECTS} redirects, last to ${url.href}`)
    },
    async submit(address, fields) {
      const url = new URL(address)
      return arrival(url, await request(url, { method: 'POST', body: new URLSearchParams(fields) }))
    },
    async call(method, address, body) {
      const url = new URL(address)
      const headers = {
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      return arrival(url, await request(url, init))
    },
  }
}
