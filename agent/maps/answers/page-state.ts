import { placeKey } from '@placefleet/shared/place-key'
import { parsedJson } from '@placefleet/shared/text'
import type { PlaceUrl } from '../urls/place-url.ts'
import { isGuarded, parseBody } from './body.ts'
import { getAt, lineAt, omitUndefined, positionAt, textAt } from './values.ts'

const START = 'window.APP_INITIALIZATION_STATE='
const END = ';window.APP_FLAGS='

const PAYLOADS = 3

export function pageState(html: string): unknown {
  const start = html.indexOf(START)
  if (start < 0) return undefined
  const end = html.indexOf(END, start)
  return end < 0 ? undefined : parsedJson(html.slice(start + START.length, end))
}

/**
 * Returns the answers of the site that a page state holds, as text. The page's scripts move them to a key that changes.
 */
export function answersOfState(state: unknown): string[] {
  const payloads = getAt(state, PAYLOADS)
  const lists: readonly unknown[] = Array.isArray(payloads)
    ? [payloads, ...payloads]
    : Object.values(Object(payloads ?? {}))
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isAnswer) : []))
}

const isAnswer = (member: unknown): member is string => typeof member === 'string' && isGuarded(member)

/** Returns the place that a page state names: from the page's address, else from the stub payload. */
export function placeOfState(state: unknown): PlaceUrl | undefined {
  return placeAt(getAt(state, 5, 3, 2), 7, 18) ?? placeAt(stubOf(state), 3)
}

function stubOf(state: unknown): unknown {
  const text = textAt(state, PAYLOADS, 5)
  return text === undefined ? undefined : getAt(parseBody(text), 0)
}

function placeAt(list: unknown, position: number, placeId?: number): PlaceUrl | undefined {
  const key = placeKey(textAt(list, 0))
  if (key === undefined) return undefined
  return omitUndefined({
    place_key: key,
    title: lineAt(list, 1),
    ...positionAt(getAt(list, position)),
    place_id: placeId === undefined ? undefined : lineAt(list, placeId),
  })
}
