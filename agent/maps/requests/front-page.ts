import { monotonicNow } from '@placefleet/shared/timing'
import { queryString, type Site } from '../urls/parameters.ts'
import { asMapFailed, MapFailed } from './failure.ts'
import { VERDICTS } from './verdicts.ts'

export const frontPageUrl = ({ base, locale: { language, country } }: Site): URL =>
  new URL(`/maps?${queryString({ hl: language, gl: country })}`, base)

/** Whether the site gave its front page. `until`: when to ask again (`monotonicNow`). */
export type Visit = { readonly failure: MapFailed | undefined; readonly until: number }

/** Who asks next after an exit was refused or gave no answer. */
const ENDS_VISIT: readonly string[] = ['exit', 'stop']
const AGAIN_AFTER_MS = 60_000

/** Without the cookie the answers of a minute lack parts, and most errors of the site pass. */
const TRIES = 2

/**
 * Opens the front page for its cookies, twice if it must. If the site gives none the identity continues, because
 * payloads may still work. Throws the MapFailed of a refusal, or of an exit without answers.
 */
export async function openForCookies(site: Site, open: (url: URL) => Promise<unknown>): Promise<Visit> {
  for (let attempt = 1; ; attempt++) {
    try {
      await open(frontPageUrl(site))
      return { failure: undefined, until: Number.POSITIVE_INFINITY }
    } catch (error) {
      const failure = asMapFailed(error)
      if (ENDS_VISIT.includes(VERDICTS[failure.fault].next)) throw error
      if (attempt === TRIES) return { failure, until: monotonicNow() + AGAIN_AFTER_MS }
    }
  }
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
