import { ConfigurationError } from './errors.ts'

declare const process: { env?: Readonly<Record<string, string | undefined>> } | undefined

const env = (name: string): string | undefined =>
  (typeof process === 'undefined' ? undefined : process.env?.[name]) || undefined

/** Whether this is a page of a browser: it can call the site that it comes from, with the cookie of its user. */
export const isPage = (): boolean => 'location' in globalThis

/**
 * Returns the address of the service, without a slash or `/api/v1` at its end: the option, `PLACEFLEET_URL`, or the
 * page's own site.
 * @throws ConfigurationError when there is none, or one without http:// or https://.
 */
export function urlOf(option: string | undefined): string {
  const written = option ?? env('PLACEFLEET_URL') ?? ''
  const url = written.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  if (isPage() || /^https?:\/\/./i.test(url)) return url
  throw missing('Set PLACEFLEET_URL or pass url, with http:// or https://, e.g. http://127.0.0.1:8080.')
}

/**
 * Returns the API key: the option or `PLACEFLEET_API_KEY`; undefined for a page without one, and for the option `null`.
 * @throws ConfigurationError when there is none, or an empty one.
 */
export function apiKeyOf(option: string | null | undefined): string | undefined {
  if (option === null) return undefined
  const key = option ?? env('PLACEFLEET_API_KEY')
  if (key || (key === undefined && isPage())) return key
  throw missing('Set PLACEFLEET_API_KEY or pass apiKey.')
}

const missing = (message: string) => new ConfigurationError({ status: 0, body: { error: 'not_configured', message } })
