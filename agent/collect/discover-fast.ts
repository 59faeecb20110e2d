import { createSlots, type Slots } from '../browser/slots.ts'
import type { FoundPlace } from '../maps/payload/search-payload.ts'
import { type SearchEnd, searchByHttp } from '../maps/search-http.ts'
import { searchPayloadsInBrowser } from '../maps/search-payloads-browser.ts'
import { inBackground } from './background.ts'
import type { Sink } from './collector.ts'
import { orFail } from './discover.ts'
import { finishPlace } from './finish-place.ts'
import { searchOf } from './search-of.ts'
import type { TaskContext } from './task-context.ts'
import { unwanted } from './wanted.ts'

/** Websites visited at a time. */
const VISITS_AT_ONCE = 5

/**
 * Finds the places of a keyword and hands over what the search payloads themselves hold of each, once each. Reviews are
 * not in them. Throws TaskFailed.
 */
export async function discoverFast(task: TaskContext, keyword: string, sink: Sink): Promise<void> {
  const { base, ladder, outcomes, parameters } = task
  const search = searchOf(keyword, parameters)
  const emit = emitter(task, sink)
  const background = inBackground(emit)
  const { answer } = await orFail(
    task,
    ladder.climb<SearchEnd>({
      subject: 'search',
      byHttp: (visitor) => searchByHttp(visitor, base, search, parameters.depth, emit),
      inBrowser: (page) => searchPayloadsInBrowser(page, base, search, parameters.depth, background.hand),
      gaps: () => 0,
      proves: () => false,
    }),
  )
  await background.done()
  if (!answer.found) outcomes.empty++
}

// A higher rung begins the search anew, so what was seen is kept over all of them.
function emitter(task: TaskContext, sink: Sink): (found: readonly FoundPlace[]) => Promise<void> {
  const seen = new Set(task.stored)
  const slots = createSlots(VISITS_AT_ONCE)
  return async (found) => {
    const fresh = found.filter(({ place }) => !seen.has(place.place_key))
    for (const { place } of fresh) seen.add(place.place_key)
    const wanted = fresh.filter((one) => isWanted(task, one))
    const finished = await Promise.allSettled(wanted.map((one) => finish(task, one, sink, slots)))
    const failed = finished.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}

function isWanted({ outcomes, parameters }: TaskContext, { place }: FoundPlace): boolean {
  const reason = unwanted(place, parameters)
  if (reason) outcomes[reason]++
  return reason === undefined
}

function finish(task: TaskContext, { place, extra }: FoundPlace, sink: Sink, slots: Slots): Promise<void> {
  const none = async () => []
  return slots.run(async () => sink.place(await finishPlace(task, place, extra.photos, none)), task.signal)
}
