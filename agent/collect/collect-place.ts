import type { PlaceReference } from '@placefleet/shared/place'
import { rejectionReason } from '@placefleet/shared/rejection-reason'
import type { Climbed } from '../maps/ladder/ladder.ts'
import { placeInBrowser, type ReadPlace, readPayload } from '../maps/place/browser.ts'
import { type PlaceEndpoint, placeByHttp } from '../maps/place/http.ts'
import { finishPlace } from './finish-place.ts'
import { moreOf } from './more.ts'
import type { Sink } from './sink.ts'
import type { TaskContext } from './task-context.ts'

/** What the places of one task learn from each other; `languageIgnored`: asking again does not change the site's language. */
export type PlaceMemory = { endpoints: readonly PlaceEndpoint[]; languageIgnored: boolean }

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
  if (limited || answer.foreign) task.outcomes.limited++
  const { result } = answer
  task.drift.collected(result.ok ? result.place : {})
  if (!result.ok) {
    task.outcomes.broken++
    task.log.warn({ place_key: reference.place_key, reason: result.reason }, 'a place cannot be read')
    return result.reason === 'no_title' || result.reason === 'no_key' ? 'unknown_layout' : 'unreadable'
  }
  const { place, extra } = result
  const reason = rejectionReason(place, task.parameters)
  if (reason) {
    task.outcomes[reason]++
    return 'dropped'
  }
  await sink.place(await finishPlace(task, place, extra, moreOf(task, reference)))
  return 'collected'
}

function readPlace(
  task: TaskContext,
  memory: PlaceMemory,
  reference: PlaceReference,
  mayWait: () => boolean,
): Promise<Climbed<ReadPlace>> {
  const { asking, base, ladder, parameters } = task
  const locale = { language: parameters.language, country: parameters.country }
  return ladder.climb<ReadPlace>({
    subject: 'place',
    byHttp: (session) =>
      inLanguage(task, memory, async () => {
        const { payload, endpoint } = await placeByHttp(session, base, reference, locale, memory.endpoints)
        if (memory.endpoints[0] !== endpoint) memory.endpoints = memory.endpoints.toReversed()
        return readPayload(payload, locale)
      }),
    inBrowser: (page) => inLanguage(task, memory, () => placeInBrowser(page, base, reference, locale, asking)),
    gaps: ({ missing }) => missing.length,
    proves: ({ result }) => result.ok && result.place.review_count !== undefined && result.place.review_count > 0,
    mayWait,
  })
}

// A place in another language is asked for once more; what comes then is taken, for it is better than no place.
async function inLanguage(task: TaskContext, memory: PlaceMemory, read: () => Promise<ReadPlace>): Promise<ReadPlace> {
  const first = await read()
  if (!first.foreign || memory.languageIgnored) return first
  task.outcomes.broken++
  task.log.info({ language: task.parameters.language }, 'an answer in another language; it is asked for again')
  const second = await read()
  memory.languageIgnored = second.foreign
  return second
}
