import type { ConfigurationOptions } from '@crawlee/http'

/** Crawlee stores nothing on disk. */
export const CRAWLEE_SETTINGS: ConfigurationOptions = { persistStorage: false }

/** The most places that a search shows. The agent stops there too. */
export const MOST_RESULTS = 120

/** Ends the contender when a request fails for good, because places would be missing. */
export function giveUp({ request }: { request: { url: string } }, error: Error): never {
  throw new Error(`given up: ${request.url}: ${error.message}`)
}

/** Returns the new places of a search, up to the most that a search shows. */
export function freshOf<Listed extends { place_key: string }>(seen: Set<string>, listed: readonly Listed[]): Listed[] {
  const fresh = listed.filter(({ place_key }) => !seen.has(place_key)).slice(0, MOST_RESULTS - seen.size)
  for (const { place_key } of fresh) seen.add(place_key)
  return fresh
}
