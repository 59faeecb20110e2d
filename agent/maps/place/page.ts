import { isGuarded, parseBody } from '../answers/body.ts'
import { PAYLOADS, pageState, placeOfState } from '../answers/page-state.ts'
import { getAt, textAt } from '../answers/values.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { isPlacePayload } from './payload/payload.ts'

/**
 * The data in the HTML of a place page: the payload (pages up to 2024), or the URL of the page's own request for it,
 * relative to the page; and the place that the page is about.
 */
export interface PlacePage {
  payload?: unknown
  preload_url?: string
  place?: PlaceUrl
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]
/** The slots of a state that hold bodies as text: 6 is the place payload; 5 is a stub, in some pages a payload. */
const PLACE_SLOTS = [6, 5]

/** Reads the data in a place page's HTML without running its scripts. Never throws. A page of another kind gives nothing. */
export function parsePlacePage(html: string): PlacePage {
  const state = pageState(html)
  const payload = placePayloadOfState(state)
  const place = placeOfState(state)
  const request = preloadUrl(html, '/maps/preview/place')
  return {
    ...(payload === undefined ? {} : { payload }),
    ...(request === undefined ? {} : { preload_url: request }),
    ...(place === undefined ? {} : { place }),
  }
}

/**
 * The place payload in a page state (`APP_INITIALIZATION_STATE`), as sent in HTML or as rewritten by the page's scripts,
 * which move it to a key that changes. Undefined when the state holds only the stub, or nothing yet.
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
 * The request for this path that a page announces in its head (`<link rel="preload" as="fetch">`), with entities decoded.
 * Undefined when there is none.
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
