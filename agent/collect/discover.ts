import { type Cell, holds } from '@placefleet/shared/cell'
import type { PlaceReference } from '@placefleet/shared/place'
import { listingRejectionReason, rejectionReason } from '@placefleet/shared/rejection-reason'
import pLimit from 'p-limit'
import { type ListedPlace, searchInBrowser, searchPayloadsInBrowser } from '../maps/search/browser.ts'
import { type SearchEnd, type SearchExtent, searchByHttp } from '../maps/search/http.ts'
import type { FoundPlace } from '../maps/search/payload.ts'
import { searchForSure, searchInBrowserForSure } from '../maps/search/second-opinion.ts'
import type { Search } from '../maps/search/url.ts'
import { auditCells } from './audit-cells.ts'
import { finishPlace, moreOf } from './finish-place.ts'
import { type AreaSearch, inBackground, searchArea } from './search-area.ts'
import type { Sink, TaskContext } from './task.ts'

/** Runs the searches of a task, through the functions that it is given. */
export type SearchRun = (task: TaskContext, area: AreaSearch) => Promise<void>

/** Searches for a keyword in the area of the job, or audits cells of that area. */
export const searchRun =
  (keyword: string, audit: readonly Cell[] | undefined): SearchRun =>
  (task, area) =>
    audit ? auditCells(task, keyword, audit, area) : searchArea(task, keyword, area)

/**
 * Runs searches and passes on the references of their places as each page arrives, each place once. Drops and counts
 * places that the search already shows to be excluded. Throws TaskFailed.
 */
export async function discover(task: TaskContext, run: SearchRun, sink: Sink): Promise<void> {
  const { base, ladder } = task
  const seen = new Set<string>() // shared by all searches and rungs, because a higher rung starts the search again
  let certain = 0
  const emit = async (listed: readonly PlaceReference[]) => {
    const fresh = listed.filter(({ place_key }) => !seen.has(place_key))
    for (const { place_key } of fresh) seen.add(place_key)
    const wanted = fresh.filter((place) => isWanted(task, place))
    certain += wanted.filter((place) => isCertain(task, place)).length
    if (wanted.length > 0) await sink.references(wanted)
  }
  const emitFound = (found: readonly FoundPlace[]) => {
    for (const { place } of found) task.drift.listed(place)
    return emit(found.map(({ place }) => referenceOf(place)))
  }
  const background = inBackground(emit)
  await run(task, {
    async look(search, extent, listed) {
      const note = noteListed(extent, listed, (place) => !listingRejectionReason(place, task.parameters))
      const take = (found: FoundPlace[]) => {
        note(found.map(({ place }) => place))
        return emitFound(found)
      }
      const climbed = await ladder.climb<SearchEnd>({
        subject: 'search',
        byHttp: (by) =>
          seen.size > 0 ? searchByHttp(by, base, search, extent, take) : searchForSure(by, base, search, extent, take),
        inBrowser: (page) => {
          const open = (asked: Search, far: SearchExtent, onPlaces: (listed: ListedPlace[]) => void) =>
            searchInBrowser(page, base, asked, far, onPlaces)
          return searchInBrowserForSure(open, search, extent, (places) => {
            const references = places.map(referenceOf)
            note(references)
            background.send(references)
          })
        },
        gaps: (end) => (end.limited ? 1 : 0),
      })
      await background.done()
      return climbed
    },
    record: (cell) => sink.cells([cell]),
    found: () => seen.size,
    certain: () => certain,
  })
}

/** Returns the function that adds the places of a cell that a job accepts to `listed`. */
function noteListed({ cell }: SearchExtent, listed: Set<string>, isAccepted: (place: PlaceReference) => boolean) {
  return (places: readonly PlaceReference[]): void => {
    for (const place of places) {
      if ((!cell || holds(cell, place)) && isAccepted(place)) listed.add(place.place_key)
    }
  }
}

function isWanted({ outcomes, parameters }: TaskContext, place: PlaceReference): boolean {
  const reason = listingRejectionReason(place, parameters)
  if (reason) outcomes[reason]++
  return reason === undefined
}

// A list may omit a website, so a place without one may still not pass the filter.
function isCertain({ parameters }: TaskContext, place: PlaceReference): boolean {
  if (parameters.website_filter === 'all') return true
  return place.website !== undefined && rejectionReason(place, parameters) === undefined
}

type Known = { [Member in keyof PlaceReference]?: PlaceReference[Member] | undefined } & { readonly place_key: string }

function referenceOf({ place_key, title, place_id, link, website, latitude, longitude }: Known): PlaceReference {
  return {
    place_key,
    ...(title === undefined ? {} : { title }),
    ...(place_id === undefined ? {} : { place_id }),
    ...(link === undefined ? {} : { link }),
    ...(website === undefined ? {} : { website }),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
  }
}

/** How many places' websites or reviews are read at the same time. */
const FINISHED_AT_ONCE = 5

/**
 * Runs searches and passes on each of their places once, with the fields of the search payload and the reviews and
 * contacts that the job requests. Throws TaskFailed.
 */
export async function discoverFast(task: TaskContext, run: SearchRun, sink: Sink): Promise<void> {
  const { base, ladder } = task
  const { emit, found, certain } = emitter(task, sink)
  const background = inBackground(emit)
  await run(task, {
    async look(search, extent, listed) {
      const note = noteListed(extent, listed, (place) => !rejectionReason(place, task.parameters))
      const take = (places: FoundPlace[]) => {
        note(places.map(({ place }) => place))
        return emit(places)
      }
      const climbed = await ladder.climb<SearchEnd>({
        subject: 'search',
        byHttp: (by) =>
          found() > 0 ? searchByHttp(by, base, search, extent, take) : searchForSure(by, base, search, extent, take),
        inBrowser: (page) => {
          const open = (asked: Search, far: SearchExtent, onPlaces: (places: FoundPlace[]) => void) =>
            searchPayloadsInBrowser(page, base, asked, far, onPlaces)
          return searchInBrowserForSure(open, search, extent, (places) => {
            note(places.map(({ place }) => place))
            background.send(places)
          })
        },
        gaps: (end) => (end.limited ? 1 : 0),
      })
      await background.done()
      return climbed
    },
    record: (cell) => sink.cells([cell]),
    found,
    certain,
  })
}

// Shared by all searches and rungs, because a higher rung starts the search again.
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
      const wanted = missing.filter((one) => isWantedPlace(task, one))
      const finished = await Promise.allSettled(wanted.map((one) => limit(finish, task, one, sink)))
      wanted.forEach(({ place }, nth) => {
        if (finished[nth]?.status === 'rejected') seen.delete(place.place_key) // another exit will finish it
      })
      const failed = finished.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
      handedOver += wanted.length
    },
  }
}

function isWantedPlace({ outcomes, parameters }: TaskContext, { place }: FoundPlace): boolean {
  const reason = rejectionReason(place, parameters)
  if (reason) outcomes[reason]++
  return reason === undefined
}

async function finish(task: TaskContext, { place, extra }: FoundPlace, sink: Sink): Promise<void> {
  task.signal.throwIfAborted()
  await sink.place(await finishPlace(task, place, extra, moreOf(task, place)))
}
