import { monotonicNow } from '@placefleet/shared/timing'
import { type Locale, queryString } from '../urls/parameters.ts'
import { asMapFailed, MapFailed } from './failure.ts'
import { VERDICTS } from './verdicts.ts'

type Site = { readonly base: URL; readonly locale: Locale }

export const frontPageUrl = (site: Site): URL => pageUrl('/maps', site)

/** Returns the URL of a search that any language has. Its page gives the same cookies as the front page. */
const searchPageUrl = (site: Site): URL => pageUrl('/maps/search/restaurant/', site)

const pageUrl = (path: string, { base, locale: { language, country } }: Site): URL =>
  new URL(`${path}?${queryString({ hl: language, gl: country })}`, base)

/** Whether the site gave a page for its cookies. `until`: when to ask again (`monotonicNow`). */
export type Visit = { readonly failure: MapFailed | undefined; readonly until: number }

/** Who asks next after an exit was refused or gave no answer. */
const ENDS_VISIT: readonly string[] = ['exit', 'stop']
const AGAIN_AFTER_MS = 60_000

/**
 * Opens a page of the site for its cookies: the front page, else a search page. If both fail the identity continues,
 * because payloads may still work. Throws the MapFailed of a refusal, or of an exit without answers.
 */
export async function openForCookies(site: Site, open: (url: URL) => Promise<unknown>): Promise<Visit> {
  let failure: MapFailed | undefined
  for (const url of [frontPageUrl(site), searchPageUrl(site)]) {
    try {
      await open(url)
      return { failure: undefined, until: Number.POSITIVE_INFINITY }
    } catch (error) {
      failure = asMapFailed(error)
      if (ENDS_VISIT.includes(VERDICTS[failure.fault].next)) throw error
    }
  }
  return { failure, until: monotonicNow() + AGAIN_AFTER_MS }
}

/** Waits for the visit of a front page, and marks its failure: the request that needs the page was not sent yet. */
export async function onArrival<T>(visit: Promise<T>): Promise<T> {
  try {
    return await visit
  } catch (error) {
    const { fault, cause, details } = asMapFailed(error)
    throw new MapFailed(fault, cause, { ...details, onArrival: true })
  }
}
