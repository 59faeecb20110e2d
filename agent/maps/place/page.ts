import { isGuarded, parseBody } from '../answers/body.ts'
import { PAYLOADS, pageState } from '../answers/page-state.ts'
import { getAt, textAt } from '../answers/values.ts'
import { isPlacePayload } from './payload/payload.ts'

/**
 * The data in the HTML of a place page. `payload`: embedded, in pages up to 2024. `preload_url`: the page's own request
 * for the payload, relative to the page.
 */
interface PlacePage {
  payload?: unknown
  preload_url?: string
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]
/** The slots of a state that hold answers as text: 6 the place payload, 5 a stub, or in some pages a payload. */
const PLACE_SLOTS = [6, 5]

/** Reads the data in the HTML of a place page without running its scripts. Empty for other pages. Never throws. */
export function parsePlacePage(html: string): PlacePage {
  const payload = placePayloadOfState(pageState(html))
  const request = preloadUrl(html, '/maps/preview/place')
  return {
    ...(payload === undefined ? {} : { payload }),
    ...(request === undefined ? {} : { preload_url: request }),
  }
}

/**
 * Finds the place payload in a page state (`APP_INITIALIZATION_STATE`). The page's scripts move it to a key that
 * changes. Undefined when the state holds only the stub, or nothing yet.
 */
export function placePayloadOfState(state: unknown): unknown {
  const payloads = getAt(state, PAYLOADS)
  const lists = Array.isArray(payloads) ? [payloads, ...payloads] : Object.values(Object(payloads ?? {}))
  for (const list of lists) {
    for (const slot of PLACE_SLOTS) {
      const text = textAt(list, slot)
      const payload = text !== undefined && isGuarded(text) ? parseBody(text) : undefined
      if (isPlacePayload(payload)) return payload
    }
  }
  return undefined
}

/**
 * Finds the preload request for this path in a page (`<link rel="preload" as="fetch">`), with entities decoded.
 * Undefined without one.
 */
export function preloadUrl(html: string, path: string): string | undefined {
  for (const [link] of html.matchAll(/<link\s[^<>]*>/g)) {
    const href = /\shref\s*=\s*["']([^"']*)["']/.exec(link)?.[1]
    if (href === undefined || !/\bas\s*=\s*["']?fetch\b/.test(link)) continue
    const plain = ENTITIES.reduce((text, [entity, character]) => text.replaceAll(entity, character), href)
    if (URL.parse(plain, 'https://www.google.com')?.pathname === path) return plain
  }
  return undefined
}
