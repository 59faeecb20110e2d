import { batchMessage, parseBody } from '../maps/answers/body.ts'
import { classifyAnswer } from '../maps/answers/classify.ts'
import { consentForms } from '../maps/answers/consent.ts'
import { pageState, placeOfState } from '../maps/answers/page-state.ts'
import { getAt, listAt, numberAt, textAt } from '../maps/answers/values.ts'
import { readPhoto } from '../maps/photos/payload.ts'
import { parseDrawnPlace } from '../maps/place/drawn.ts'
import { parsePlacePage, placePayloadOfState, preloadUrl } from '../maps/place/page.ts'
import { isPlacePayload, parsePlacePayload, readPlaceNode } from '../maps/place/payload/payload.ts'
import { readLocalBoq } from '../maps/reviews/local-boq.ts'
import { readReview } from '../maps/reviews/payload.ts'
import { parseFeed } from '../maps/search/drawn.ts'
import { embeddedSearch, parseSearchPayload, type SearchResult } from '../maps/search/payload.ts'

/** The procedures by which pages list reviews and photos. */
const PROCEDURES = ['/MapsUgcPostService.ListUgcPosts', '/MapsPhotoService.ListEntityPhotos']

/** What a payload holds. `nothing`: nothing that a parser reads. */
export type Holds = 'place' | 'search' | 'review window' | 'reviews' | 'photos' | 'nodes' | 'nothing'

/** The value in an answer of JSON. `procedure`: in an answer to a page's batchexecute request. */
export type Body = { readonly value: unknown; readonly procedure: string | undefined }

/** Returns the value in an answer that is no page. */
export function bodyOf(text: string): Body {
  const procedure = PROCEDURES.find((name) => batchMessage(text, name) !== undefined)
  return { value: procedure === undefined ? parseBody(text) : batchMessage(text, procedure), procedure }
}

/** Returns what a payload holds. It reads all of it, so give it no watched value. */
export function holds(value: unknown, now: number): Holds {
  if (readPlaceNode(getAt(value, 6), now).ok) return 'place'
  if (readLocalBoq(value, now).state === 'listed') return 'review window'
  if (numberAt(value, 1, 0, 1) !== undefined) return 'search'
  if (nodesIn(value, now).length > 0) return 'nodes'
  if (listAt(value, 0).some((record) => readPhoto(record) !== undefined)) return 'photos'
  if (reviewItems(value, now).length > 0) return 'reviews'
  return isPlacePayload(value) ? 'place' : 'nothing' // its node has moved
}

export function readValue(value: unknown, what: Holds, now: number): unknown {
  if (what === 'place') {
    return [parsePlacePayload(value, { now }), readPlaceNode(withoutNestedReviews(getAt(value, 6)), now)]
  }
  if (what === 'review window') return readLocalBoq(value, now)
  if (what === 'search') return withWholePlaces(parseSearchPayload(value, { now }))
  if (what === 'nodes') return nodesIn(value, now)
  if (what === 'reviews') return readReviews(reviewItems(value, now), now)
  return what === 'photos' ? listAt(value, 0).map(readPhoto) : undefined
}

const nodesIn = (value: unknown, now: number) =>
  [value, getAt(value, 14)].map((node) => readPlaceNode(node, now)).filter(({ ok }) => ok)

const readReviews = (items: readonly unknown[], now: number) =>
  items.map((member) => readReview(member, now)).filter((review) => review !== undefined)

/** Returns the reviews in their envelope: newer ones have the list at 2, older ones first, and some have none. */
function reviewItems(value: unknown, now: number): readonly unknown[] {
  const lists = [listAt(value, 2), listAt(value, 0), listAt(value)]
  const [fullest = []] = lists.toSorted((a, b) => readReviews(b, now).length - readReviews(a, now).length)
  if (readReviews(fullest, now).length === 0) return []
  return fullest.map((item) => (textAt(item, 0) === undefined ? getAt(item, 0) : item)) // some begin with the review
}

// A view, because a copy would read every member. Without these reviews the parser reads the flat ones of older
// answers.
const withoutNestedReviews = (node: unknown): unknown =>
  Array.isArray(node)
    ? new Proxy(node, { get: (list, name) => (name === '175' ? null : Reflect.get(list, name)) })
    : node

/** Returns what the parsers read from a page's state. */
export const readState = (state: unknown): unknown => [placeOfState(state), placePayloadOfState(state) !== undefined]

/** Returns what the parsers read from a whole answer at a time. */
export function readAnswer(text: string, now: number): unknown {
  if (!text.trimStart().startsWith('<')) return readHeld(bodyOf(text).value, now)
  const { payload, ...page } = parsePlacePage(text)
  return {
    page,
    payload: payload === undefined ? undefined : readHeld(payload, now),
    state: readState(pageState(text)),
    search: preloadUrl(text, '/search'),
    feed: parseFeed(text),
    embedded: withWholePlaces(embeddedSearch(text, { now })),
    drawn: parseDrawnPlace(text, { language: 'en' }),
    kind: classifyAnswer({ url: '', status: 200, body: text }),
    forms: consentForms(text),
  }
}

const withWholePlaces = (result: SearchResult | undefined) =>
  result && { ...result, places: result.places.map(({ whole, missing }) => ({ ...whole(), missing })) }

const readHeld = (value: unknown, now: number): unknown => readValue(value, holds(value, now), now)
