import { rejectionReason } from '@placefleet/shared/rejection-reason'
import pLimit from 'p-limit'
import { searchPayloadsInBrowser } from '../maps/search/browser-payloads.ts'
import { type SearchEnd, type SearchExtent, searchByHttp } from '../maps/search/http.ts'
import type { FoundPlace } from '../maps/search/payload.ts'
import { searchForSure, searchInBrowserForSure } from '../maps/search/second-opinion.ts'
import type { Search } from '../maps/search/url.ts'
import { finishPlace } from './finish-place.ts'
import { moreOf } from './more.ts'
import { searchArea } from './search-area.ts'
import { inBackground, type Sink } from './sink.ts'
import type { TaskContext } from './task-context.ts'

/** Places whose website or reviews are read at a time. */
const FINISHED_AT_ONCE = 5

/**
 * Finds the places of a keyword and hands over what the search payloads themselves hold of each, once each, with the
 * reviews and contacts that the job asks for. Throws TaskFailed.
 */
export async function discoverFast(task: TaskContext, keyword: string, sink: Sink): Promise<void> {
  const { base, ladder } = task
  const { emit, found, certain } = emitter(task, sink)
  const background = inBackground(emit)
  await searchArea(task, keyword, {
    async look(search, extent) {
      const climbed = await ladder.climb<SearchEnd>({
        subject: 'search',
        byHttp: (session, another) =>
          found() > 0
            ? searchByHttp(session, base, search, extent, emit)
            : searchForSure(session, another, base, search, extent, emit),
        inBrowser: (page) => {
          const run = (asked: Search, far: SearchExtent, onPlaces: (places: FoundPlace[]) => void) =>
            searchPayloadsInBrowser(page, base, asked, far, onPlaces)
          return searchInBrowserForSure(run, search, extent, background.send)
        },
        gaps: (end) => (end.limited ? 1 : 0),
        proves: () => false,
      })
      await background.done()
      return climbed
    },
    found,
    certain,
  })
}

// Over all searches and rungs, for a higher rung begins the search anew.
function emitter(task: TaskContext, sink: Sink) {
  const seen = new Set<string>()
  const limit = pLimit(FINISHED_AT_ONCE)
  let handedOver = 0
  return {
    found: () => seen.size,
    certain: () => handedOver,
    async emit(found: readonly FoundPlace[]): Promise<void> {
      const fresh = found.filter(({ place }) => !seen.has(place.place_key))
      for (const { place } of fresh) {
        seen.add(place.place_key)
        task.drift.listed(place)
      }
      const missing = fresh.filter(({ place }) => !task.stored.has(place.place_key))
      const wanted = missing.filter((one) => isWanted(task, one))
      const finished = await Promise.allSettled(wanted.map((one) => limit(finish, task, one, sink)))
      const failed = finished.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
      handedOver += wanted.length
    },
  }
}

function isWanted({ outcomes, parameters }: TaskContext, { place }: FoundPlace): boolean {
  const reason = rejectionReason(place, parameters)
  if (reason) outcomes[reason]++
  return reason === undefined
}

async function finish(task: TaskContext, { place, extra }: FoundPlace, sink: Sink): Promise<void> {
  task.signal.throwIfAborted()
  await sink.place(await finishPlace(task, place, extra, moreOf(task, place)))
}
