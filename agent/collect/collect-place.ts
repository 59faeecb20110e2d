import type { PlaceReference } from '@placefleet/shared/place'
import { rejectionReason } from '@placefleet/shared/rejection-reason'
import type { Climbed } from '../maps/ladder/ladder.ts'
import { placeInBrowser, type ReadPlace, readPayload } from '../maps/place/browser.ts'
import { type PlaceEndpoint, placeByHttp } from '../maps/place/http.ts'
import { finishPlace } from './finish-place.ts'
import { moreOf } from './more.ts'
import type { Sink } from './sink.ts'
import type { TaskContext } from './task-context.ts'

/** What the places of one task learn from each other. `languageIgnored`: asking again does not change the language. */
export type PlaceMemory = { endpoints: readonly PlaceEndpoint[]; languageIgnored: boolean }

/**
 * How a place ended: `collected`, `dropped` because the job does not want it, `unreadable` or of an `unknown_layout`.
 * `undecided`: to be asked again once other places have shown whether its gaps are its own.
 */
export type PlaceEnd = 'collected' | 'dropped' | 'unreadable' | 'unknown_layout' | 'undecided'

/**
 * Collects one place: reads its payload by the ladder, applies filter and area, adds reviews, images and contacts, and
 * sends it to the sink. Throws MapFailed when the map site gives nothing.
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
    task.log.warn({ place_key: reference.place_key, reason: result.reason }, 'could not read a place')
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
  const { base, ladder, parameters } = task
  const locale = { language: parameters.language, country: parameters.country }
  return ladder.climb<ReadPlace>({
    subject: 'place',
    byHttp: (session) =>
      inLanguage(task, memory, async () => {
        const { payload, endpoint } = await placeByHttp(session, base, reference, locale, memory.endpoints)
        if (memory.endpoints[0] !== endpoint) memory.endpoints = memory.endpoints.toReversed()
        return readPayload(payload, locale)
      }),
    inBrowser: (page, { pageFetch }) =>
      inLanguage(task, memory, () => placeInBrowser(page, base, reference, locale, pageFetch)),
    gaps: ({ missing }) => missing.length,
    proves: ({ result }) => result.ok && result.place.review_count !== undefined && result.place.review_count > 0,
    mayWait,
  })
}

// A place in another language is requested once more. The second answer is taken in any language.
async function inLanguage(task: TaskContext, memory: PlaceMemory, read: () => Promise<ReadPlace>): Promise<ReadPlace> {
  const first = await read()
  if (!first.foreign || memory.languageIgnored) return first
  task.outcomes.broken++
  task.log.info({ language: task.parameters.language }, 'the answer is in another language; requesting it again')
  const second = await read()
  memory.languageIgnored = second.foreign
  return second
}
