import { monotonicNow } from '@placefleet/shared/timing'
import { VERDICTS } from '../answers/verdicts.ts'
import { asMapFailed, type MapFailed } from './fault.ts'

type Place = { readonly base: URL; readonly language: string }

/** Returns the front page in this language. */
export function frontPage({ base, language }: Place): URL {
  return new URL(`/maps?hl=${encodeURIComponent(language)}`, base)
}

/** Returns a search that any language has. Its page gives the same cookies as the front page. */
function searchPage({ base, language }: Place): URL {
  return new URL(`/maps/search/restaurant/?hl=${encodeURIComponent(language)}`, base)
}

/** Whether the site gave a page for its cookies. `until`: when to ask again (`monotonicNow`). */
export type Visit = { readonly failure: MapFailed | undefined; readonly until: number }

const AGAIN_AFTER_MS = 60_000

/**
 * Opens a page of the site for its cookies: the front page, else another one. If both fail the session continues,
 * because payloads may still work. Throws the MapFailed of a refusal, or of an exit without answers.
 */
export async function openForCookies(place: Place, open: (url: URL) => Promise<unknown>): Promise<Visit> {
  let failure: MapFailed | undefined
  for (const url of [frontPage(place), searchPage(place)]) {
    try {
      await open(url)
      return { failure: undefined, until: Number.POSITIVE_INFINITY }
    } catch (error) {
      failure = asMapFailed(error)
      if (!VERDICTS[failure.fault].withoutCookies) throw error
    }
  }
  return { failure, until: monotonicNow() + AGAIN_AFTER_MS }
}
