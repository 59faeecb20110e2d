import { batchMessage, parseBody } from '@placefleet/agent/maps/answers/body'
import { classifyAnswer } from '@placefleet/agent/maps/answers/classify'
import { consentForms } from '@placefleet/agent/maps/answers/consent'
import { pageState, placeOfState } from '@placefleet/agent/maps/answers/page-state'
import { getAt, listAt, numberAt } from '@placefleet/agent/maps/answers/values'
import { readPhoto } from '@placefleet/agent/maps/photos/payload'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage, placePayloadOfState, preloadUrl } from '@placefleet/agent/maps/place/page'
import { isPlacePayload, parsePlacePayload, readPlaceNode } from '@placefleet/agent/maps/place/payload/payload'
import { readLocalBoq } from '@placefleet/agent/maps/reviews/local-boq'
import { readReview } from '@placefleet/agent/maps/reviews/payload'
import { parseFeed } from '@placefleet/agent/maps/search/drawn'
import { embeddedSearch, parseSearchPayload } from '@placefleet/agent/maps/search/payload'

export const REVIEWS = '/MapsUgcPostService.ListUgcPosts'
const NOW = Date.UTC(2026, 10, 20)

/** Returns what the parsers read from JSON of the site: the result of the one that fits. */
export function readValue(value: unknown): unknown {
  if (isPlacePayload(value)) {
    const node = getAt(value, 6)
    return [parsePlacePayload(value, { now: NOW }), readPlaceNode(withoutNestedReviews(node), NOW)]
  }
  const window = readLocalBoq(value, NOW)
  if (window.state === 'listed') return window
  // Only with a viewport: to call another answer no search, the parser reads all of it.
  if (numberAt(value, 1, 0, 1) !== undefined) return parseSearchPayload(value, { now: NOW })
  const places = [value, getAt(value, 14)].map((node) => readPlaceNode(node, NOW)).filter(({ ok }) => ok)
  if (places.length > 0) return places
  const reviews = [value, getAt(value, 2)].flatMap((list) => listAt(list).map((member) => readReview(member, NOW)))
  const photos = listAt(value, 0).map(readPhoto)
  return photos.some((photo) => photo !== undefined) ? photos : reviews
}

// A view, because a copy would read every member. Without these reviews the parser reads the flat ones of older answers.
const withoutNestedReviews = (node: unknown): unknown =>
  Array.isArray(node)
    ? new Proxy(node, { get: (list, name) => (name === '175' ? null : Reflect.get(list, name)) })
    : node

/** Returns what the parsers read from a page's state. */
export const readState = (state: unknown): unknown => [placeOfState(state), placePayloadOfState(state) !== undefined]

/** Returns what the parsers read from a whole answer. */
export function readAnswer(text: string): unknown {
  if (!text.trimStart().startsWith('<')) return readValue(batchMessage(text, REVIEWS) ?? parseBody(text))
  const { payload, ...page } = parsePlacePage(text)
  return {
    page,
    payload: payload === undefined ? undefined : readValue(payload),
    state: readState(pageState(text)),
    search: preloadUrl(text, '/search'),
    feed: parseFeed(text),
    embedded: embeddedSearch(text, { now: NOW }),
    drawn: parseDrawnPlace(text, { language: 'en' }),
    kind: classifyAnswer({ url: '', status: 200, body: text }),
    forms: consentForms(text),
  }
}
