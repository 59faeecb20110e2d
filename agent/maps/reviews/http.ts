import type { Review } from '@placefleet/shared/review'
import type { AnswerKind } from '../answers/classify.ts'
import type { Verdict } from '../answers/verdicts.ts'
import type { ClientMemory } from '../exits/client-memory.ts'
import { isRefusedQuestion, MapFailed } from '../session/fault.ts'
import type { HttpSession, MapAnswer } from '../session/http-session.ts'
import type { FirstPage, ReviewDoor, ReviewsFound, ReviewsWanted } from './doors.ts'
import { LIST_UGC_POSTS } from './list-ugc-posts.ts'
import { LOCAL_BOQ } from './local-boq.ts'
import type { ReviewList } from './payload.ts'

/** The doors to the reviews of a place over plain HTTP. The first one is tried first. */
export const REVIEW_DOORS: readonly [ReviewDoor, ReviewDoor] = [LOCAL_BOQ, LIST_UGC_POSTS]

type ReviewContext = { readonly session: HttpSession; readonly memory: ClientMemory }

/**
 * Pages through the reviews of a place until they are enough or the list ends. Tries the second door when the first one is
 * shut or gives less than it should, and leaves a shut one alone for an hour. When the site refuses a page, returns the
 * pages before it as not complete. Throws MapFailed when the site returns nothing.
 */
export async function reviewsByHttp({ session, memory }: ReviewContext, wanted: ReviewsWanted): Promise<ReviewsFound> {
  const [first, second] = REVIEW_DOORS
  const before = memory.isShut(first.name) ? NOTHING : await throughFirst({ session, memory }, wanted)
  if (before.complete && before.reviews.length > 0) return before
  const after = await pagesOf(second, wanted, (url) => listAt(session, second, url))
  // An empty list is a refusal in disguise if another door has reviews.
  if (before.complete && after.reviews.length > 0) memory.shut(first.name)
  return after.complete || after.reviews.length > before.reviews.length ? after : before
}

const NOTHING: ReviewsFound = { reviews: [], complete: false }

async function throughFirst({ session, memory }: ReviewContext, wanted: ReviewsWanted): Promise<ReviewsFound> {
  const [first] = REVIEW_DOORS
  try {
    const found = await pagesOf(first, wanted, async (url) => (await knock(session, first, url)).list)
    if (!found.complete) memory.shut(first.name)
    return found
  } catch (error) {
    if (error instanceof MapFailed && isOfDoor(error)) memory.shut(first.name)
    throw error
  }
}

// The door may be the reason for a refusal of the exit, and for silence.
const isOfDoor = (failure: MapFailed): boolean => isRefusedQuestion(failure) || failure.fault === 'timeout'

/** The site sometimes omits the token of the next page, so a full page without one is requested this many times. */
const TRIES_WITHOUT_TOKEN = 3

async function pagesOf(
  { url, pageSize }: ReviewDoor,
  wanted: ReviewsWanted,
  ask: (url: URL) => Promise<ReviewList>,
): Promise<ReviewsFound> {
  const reviews = new Map<string, Review>()
  let token: string | undefined
  for (let tries = 1; ; ) {
    const list = await ask(url(wanted, token))
    if (list.state !== 'listed') return { reviews: [...reviews.values()], complete: false }
    const before = reviews.size
    for (const review of list.reviews) reviews.set(review.id, reviews.get(review.id) ?? review)
    const isLast = list.next_token === undefined && (list.reviews.length < pageSize || tries === TRIES_WITHOUT_TOKEN)
    const isRepeated = reviews.size === before && tries === 1
    const read = [...reviews.values()]
    if (isLast || isRepeated || wanted.enough(read) || wanted.ends(list.reviews.at(-1))) {
      return { reviews: read, complete: true }
    }
    tries = list.next_token === undefined ? tries + 1 : 1
    token = list.next_token ?? token
  }
}

const REFUSED: ReviewList = { state: 'refused', reviews: [] }

/** Requests a page of the last door. Throws MapFailed for every answer but a list and the door's own refusal. */
async function listAt(session: HttpSession, door: ReviewDoor, url: URL): Promise<ReviewList> {
  let list = REFUSED
  await session.ask(url, ['payload', 'refused'], ({ kind, text }) => {
    list = kind === 'payload' ? door.parse(text) : REFUSED
    return verdictOn(list, kind)
  })
  if (list.state === 'malformed') throw new MapFailed('unknown')
  return list
}

/** Every kind of answer that may be the door's alone. A captcha and the consent form are about the exit. */
const OF_DOOR = [
  'payload',
  'refused',
  'not_found',
  'bad_request',
  'needs_scripts',
  'broken',
  'unmarked',
  'page',
] as const satisfies readonly AnswerKind[]

type Knocked = { readonly list: ReviewList; readonly verdict: Verdict }

/** Requests a page of a door that another one can replace. Throws MapFailed when the exit is refused or gets no answer. */
async function knock(session: HttpSession, door: ReviewDoor, url: URL): Promise<Knocked> {
  let list = REFUSED
  let verdict: Verdict = 'request_refused'
  const read = ({ kind, text }: MapAnswer) => {
    list = kind === 'payload' ? door.parse(text) : REFUSED
    verdict = verdictOn(list, kind)
    return verdict
  }
  await session.ask(url, OF_DOOR, read, { isReplaceable: true })
  return { list, verdict }
}

const OF_KIND: Partial<Record<AnswerKind, Verdict>> = { broken: 'unavailable', unmarked: 'unknown', page: 'unknown' }

function verdictOn({ state, reviews }: ReviewList, kind: AnswerKind): Verdict {
  if (state === 'refused') return OF_KIND[kind] ?? 'request_refused'
  if (state === 'malformed') return 'unknown'
  return reviews.length > 0 ? 'whole' : 'doubtful_empty'
}

/** What a door gives to one request. */
type DoorCheck = { readonly verdict: Verdict; readonly reviews: number }

/** Requests the first page of a door. Throws MapFailed when the exit is refused or gets no answer. */
export async function checkReviewDoor(session: HttpSession, door: ReviewDoor, wanted: FirstPage): Promise<DoorCheck> {
  const { list, verdict } = await knock(session, door, door.url(wanted))
  return { verdict, reviews: list.reviews.length }
}
