import type { ConfigurationOptions } from '@crawlee/http'

/** Nothing on disk. */
export const CRAWLEE_SETTINGS: ConfigurationOptions = { persistStorage: false }

/** What a search shows at most; the agent stops there too. */
export const MOST_RESULTS = 120

/** Ends the contender when a request is given up: places would be missing. */
export function giveUp({ request }: { request: { url: string } }, error: Error): never {
  throw new Error(`given up: ${request.url}: ${error.message}`)
}

/** Returns the places of a search that were not seen before, up to what a search shows. */
export function freshOf<Listed extends { place_key: string }>(seen: Set<string>, listed: readonly Listed[]): Listed[] {
  const fresh = listed.filter(({ place_key }) => !seen.has(place_key)).slice(0, MOST_RESULTS - seen.size)
  for (const { place_key } of fresh) seen.add(place_key)
  return fresh
}
