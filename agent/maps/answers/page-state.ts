import { isPlacePayload } from '../place/payload/payload.ts'
import { placeKey } from '../urls/ids.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { isGuarded, parseBody, parseJson } from './body.ts'
import { lineAt, omitUndefined } from './fit.ts'
import { getAt, textAt } from './index-path.ts'
import { positionAt } from './position.ts'

const START = 'window.APP_INITIALIZATION_STATE='
const END = ';window.APP_FLAGS='
const PAYLOADS = 3
// Where bodies stand as text: 6 is the payload of a place; 5 a stub, in some pages a payload.
const PLACE_SLOTS = [6, 5]

/** The state that a page of the site begins with, from its HTML. Undefined when the page has none. */
export function pageState(html: string): unknown {
  const start = html.indexOf(START)
  if (start < 0) return undefined
  const end = html.indexOf(END, start)
  return end < 0 ? undefined : parseJson(html.slice(start + START.length, end))
}

/**
 * The place payload a page's state holds: in HTML as it was sent, or rewritten by the page's scripts, which put it under
 * a key that changes. Undefined when there is only the stub, or nothing yet. `state` is `APP_INITIALIZATION_STATE`.
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

/** The place a page's state names, if the page is about one: from its address, else from the stub. */
export function placeOfState(state: unknown): PlaceUrl | undefined {
  return placeAt(getAt(state, 5, 3, 2), [7, 15, 18]) ?? placeAt(stubOf(state), [3])
}

function stubOf(state: unknown): unknown {
  const text = textAt(state, PAYLOADS, 5)
  return text === undefined ? undefined : getAt(parseBody(text), 0)
}

function placeAt(list: unknown, [position, kgmid, placeId]: readonly number[]): PlaceUrl | undefined {
  const key = placeKey(textAt(list, 0))
  if (key === undefined || position === undefined) return undefined
  return omitUndefined({
    place_key: key,
    title: lineAt(list, 1),
    ...positionAt(getAt(list, position)),
    kgmid: kgmid === undefined ? undefined : lineAt(list, kgmid),
    place_id: placeId === undefined ? undefined : lineAt(list, placeId),
  })
}
