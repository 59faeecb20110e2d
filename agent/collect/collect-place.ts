import type { PlaceReference, Review } from '@placefleet/shared/place'
import type { Climbed } from '../maps/ladder.ts'
import { MapFailed } from '../maps/map-failed.ts'
import { placeInBrowser, type ReadPlace, readPayload } from '../maps/place-browser.ts'
import { type PlaceDoor, placeByHttp } from '../maps/place-http.ts'
import { reviewsInBrowser } from '../maps/reviews-browser.ts'
import { reviewsByHttp } from '../maps/reviews-http.ts'
import type { Sink } from './collector.ts'
import { finishPlace } from './finish-place.ts'
import type { TaskContext } from './task-context.ts'
import { unwanted } from './wanted.ts'

/** What the places of one task learn from each other. */
export type PlaceMemory = { doors: readonly PlaceDoor[] }

/**
 * How a place ended: handed to the sink, dropped because the job does not want it, or not readable (and why).
 * `undecided`: to be asked again once others have shown whether what it lacks is its own.
 */
export type PlaceEnd = 'collected' | 'dropped' | 'unreadable' | 'unknown_layout' | 'undecided'

/**
 * Collects one place: its payload by the ladder, then filter and area, reviews, images and contacts, then to the sink.
 * Throws MapFailed when the map site gives nothing.
 */
export async function collectPlace(
  task: TaskContext,
  memory: PlaceMemory,
  reference: PlaceReference,
  sink: Sink,
  mayWait: () => boolean,
): Promise<PlaceEnd> {
  const { answer, limited, undecided } = await readPlace(task, memory, reference, mayWait)
  if (undecided) return 'undecided'
  if (limited) task.outcomes.limited++
  const { result } = answer
  if (!result.ok) {
    task.outcomes.broken++
    task.log.warn({ place_key: reference.place_key, reason: result.reason }, 'a place cannot be read')
    return result.reason === 'no_title' || result.reason === 'no_key' ? 'unknown_layout' : 'unreadable'
  }
  const { place, extra } = result
  const reason = unwanted(place, task.parameters)
  if (reason) {
    task.outcomes[reason]++
    return 'dropped'
  }
  const more = (enough: (reviews: readonly Review[]) => boolean) => moreReviews(task, reference, enough)
  await sink.place(await finishPlace(task, place, extra.photos, more))
  return 'collected'
}

function readPlace(
  { base, ladder, parameters }: TaskContext,
  memory: PlaceMemory,
  reference: PlaceReference,
  mayWait: () => boolean,
): Promise<Climbed<ReadPlace>> {
  const locale = { language: parameters.language }
  return ladder.climb<ReadPlace>({
    subject: 'place',
    async byHttp(visitor) {
      const { payload, door } = await placeByHttp(visitor, base, reference, locale, memory.doors)
      if (memory.doors[0] !== door) memory.doors = memory.doors.toReversed()
      return readPayload(payload)
    },
    inBrowser: (page) => placeInBrowser(page, base, reference, locale),
    gaps: ({ missing }) => missing.length,
    proves: ({ result }) => result.ok && result.place.review_count !== undefined && result.place.review_count > 0,
    mayWait,
  })
}

async function moreReviews(
  task: TaskContext,
  reference: PlaceReference,
  enough: (reviews: readonly Review[]) => boolean,
): Promise<Review[]> {
  const { base, ladder, outcomes, parameters, log } = task
  const locale = { language: parameters.language }
  try {
    const { answer, limited } = await ladder.climb({
      subject: 'reviews',
      byHttp: (visitor) => reviewsByHttp(visitor, base, reference.place_key, locale, enough),
      inBrowser: (page) => reviewsInBrowser(page, base, reference, locale, enough),
      gaps: ({ complete }) => (complete ? 0 : 1),
      proves: () => false, // one list that was given says nothing of the next
    })
    if (limited) outcomes.limited++
    return answer.reviews
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    log.info({ place_key: reference.place_key, fault: error.fault }, 'the reviews of a place were not given')
    outcomes.limited++
    return []
  }
}
