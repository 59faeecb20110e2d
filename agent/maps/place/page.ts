import { parseBody, withoutEntities } from '../answers/body.ts'
import { answersOfState, pageState } from '../answers/page-state.ts'
import { isPlacePayload } from './payload/payload.ts'

type PlacePage = {
  /** Embedded, in pages up to 2024. */
  readonly payload?: unknown
  /** The page's own request for the payload, relative to the page. */
  readonly preload_url?: string | undefined
}

/** Reads the data in the HTML of a place page without running its scripts. Empty for other pages. Never throws. */
export const parsePlacePage = (html: string): PlacePage => ({
  payload: placePayloadOfState(pageState(html)),
  preload_url: preloadUrl(html, '/maps/preview/place'),
})

/** Finds the place payload in a page state. Undefined when the state holds only the stub, or nothing yet. */
export const placePayloadOfState = (state: unknown): unknown =>
  answersOfState(state).map(parseBody).find(isPlacePayload)

/** Finds the preload request for this path in a page (`<link rel="preload" as="fetch">`). */
export function preloadUrl(html: string, path: string): string | undefined {
  for (const [link] of html.matchAll(/<link\s[^<>]*>/g)) {
    const href = /\shref\s*=\s*["']([^"']*)["']/.exec(link)?.[1]
    if (href === undefined || !/\bas\s*=\s*["']?fetch\b/.test(link)) continue
    const plain = withoutEntities(href)
    if (URL.parse(plain, 'https://www.google.com')?.pathname === path) return plain
  }
  return undefined
}
