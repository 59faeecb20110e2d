import { holds, type Positioned } from '@placefleet/shared/cell'
import type { PlaceReference } from '@placefleet/shared/place'
import type { FilteredFields } from '@placefleet/shared/place-filter'
import { isSurelyKept, listingRejectionReason, rejectionReason } from '@placefleet/shared/place-filter'
import pLimit from 'p-limit'
import { ask } from '../maps/requests/attempt.ts'
import type { PageHit } from '../maps/search/browser.ts'
import { searchForSure, searchInBrowserForSure } from '../maps/search/control.ts'
import type { SearchEnd, SearchExtent } from '../maps/search/http.ts'
import type { SearchHit } from '../maps/search/payload.ts'
import { auditCells } from './audit-cells.ts'
import { finishPlace } from './finish-place.ts'
import { type AreaSearch, inBackground, searchArea } from './search-area.ts'
import type { Sink, Task, TaskContext } from './task.ts'
import { countLimited } from './task-failed.ts'

/** Runs the searches of a task, through the functions that it is given. */
type SearchRun = (task: TaskContext, area: AreaSearch) => Promise<void>

/**
 * Searches for a keyword in the area of the job or in given cells of it, or audits cells of that area. The keys of the
 * places of a cell are reported by an audit and by a search of given cells.
 */
export const searchRun =
  ({ keyword, audit, cells }: Extract<Task['work'], { kind: 'discover' }>): SearchRun =>
  (task, area) => {
    if (audit) return auditCells(task, keyword, audit, area)
    const record: AreaSearch['record'] = (cell) => area.record(cells ? cell : { ...cell, place_keys: [] })
    return searchArea(task, keyword, { ...area, record }, cells)
  }

/** What a task makes of each listed place: a reference to collect later, or in fast mode the place itself. */
type Listing<Item> = {
  /** Undefined for a hit without the data that an item needs. */
  itemOf(hit: PageHit): Item | undefined
  keyOf(item: Item): Positioned & { readonly place_key: string }
  /** Whether the job may accept the place. */
  isAccepted(item: Item): boolean
  /** Passes on the items that no earlier search listed, and drops and counts those that the job excludes. */
  emit(items: readonly Item[]): Promise<void>
} & Pick<AreaSearch, 'listedCount' | 'acceptedCount'>

/**
 * Runs searches and passes on the references of their places as each page arrives, each place once. Drops and counts
 * places that the search already shows to be excluded. Throws TaskFailed.
 */
export function discover(task: TaskContext, run: SearchRun, sink: Sink): Promise<void> {
  const listedKeys = new Set<string>() // shared by all searches and clients, because the next client starts again
  let accepted = 0
  return runSearches<FilterableReference>(task, run, sink, {
    itemOf: (hit) => referenceOf(hasData(hit) ? { ...hit.place, rating: ratingOf(hit) } : hit.place),
    keyOf: (reference) => reference,
    isAccepted: (reference) => !listingRejectionReason(reference, task.filter),
    async emit(listed) {
      const unlisted = listed.filter(({ place_key }) => !listedKeys.has(place_key))
      for (const { place_key } of unlisted) listedKeys.add(place_key)
      const places = unlisted.filter((place) => isAcceptedReference(task, place))
      accepted += places.filter((place) => isSurelyKept(place, task.filter)).length
      if (places.length > 0) await sink.references(places)
    },
    listedCount: () => listedKeys.size,
    acceptedCount: () => accepted,
  })
}

async function runSearches<Item>(task: TaskContext, run: SearchRun, sink: Sink, listing: Listing<Item>): Promise<void> {
  const { base, drift } = task
  const background = inBackground(listing.emit)
  await run(task, {
    async searchCell(search, extent, listed, isEnough) {
      let lacksData = false
      const itemsOf = (hits: readonly PageHit[]): Item[] => {
        drift.listed(hits.filter(hasData).map(({ place }) => place))
        const items = hits.map(listing.itemOf).filter((item) => item !== undefined)
        lacksData ||= items.length < hits.length
        addAccepted(listing, extent, items, listed)
        return items
      }
      const onPlaces = (hits: readonly PageHit[]) => listing.emit(itemsOf(hits))
      const asking = ask<SearchEnd>(task, {
        door: 'search',
        byHttp: (session) =>
          searchForSure(session, listing.listedCount() > 0, base, search, { extent, onPlaces, isEnough }),
        async inBrowser(tab) {
          lacksData = false
          const send = (hits: readonly PageHit[]) => background.send(itemsOf(hits))
          const end = await searchInBrowserForSure(tab, base, search, extent, send)
          return { ...end, limited: end.limited || lacksData }
        },
        missing: (end) => (end.limited ? 1 : 0),
        verdictOn: ({ hasPlaces }) => (hasPlaces ? 'whole' : 'doubtful_empty'),
      })
      // A failure to pass on places belongs to this search, also when the search itself failed.
      return asking.finally(background.done)
    },
    record: (cell) => sink.cells([cell]),
    listedCount: listing.listedCount,
    acceptedCount: listing.acceptedCount,
  })
}

/** Adds the keys of the items that lie in the cell of a search, and that the job may accept, to `listed`. */
function addAccepted<Item>(
  { keyOf, isAccepted }: Listing<Item>,
  { cell }: SearchExtent,
  items: readonly Item[],
  listed: Set<string>,
): void {
  for (const item of items) {
    if ((!cell || holds(cell, keyOf(item))) && isAccepted(item)) listed.add(keyOf(item).place_key)
  }
}

function isAcceptedReference({ outcomes, filter }: TaskContext, place: FilterableReference): boolean {
  const reason = listingRejectionReason(place, filter)
  if (reason) outcomes[reason]++
  return reason === undefined
}

const hasData = (hit: PageHit): hit is SearchHit => 'whole' in hit

/** The rating of a place without one. The site holds back the counts of a place, but not its rating. */
const UNRATED = 0

const ratingOf = ({ place: { rating, review_count } }: SearchHit) => rating ?? (review_count ? undefined : UNRATED)

/** A reference, and the values that the search lists for the filters of the job. */
type FilterableReference = PlaceReference & FilteredFields

type ReferenceFacts = { [Member in keyof FilterableReference]?: FilterableReference[Member] | undefined } & {
  readonly place_key: string
}

const referenceOf = (facts: ReferenceFacts): FilterableReference => ({
  place_key: facts.place_key,
  title: facts.title,
  place_id: facts.place_id,
  link: facts.link,
  website: facts.website,
  latitude: facts.latitude,
  longitude: facts.longitude,
  category: facts.category,
  categories: facts.categories,
  rating: facts.rating,
  review_count: facts.review_count,
  phone: facts.phone,
  closed: facts.closed,
})

/** How many places' reviews are read at the same time. */
const FINISHED_AT_ONCE = 5

/**
 * Runs searches and passes on each of their places once, with the fields of the search payload and the reviews and
 * contacts that the job requests. Throws TaskFailed.
 */
export function discoverFast(task: TaskContext, run: SearchRun, sink: Sink): Promise<void> {
  return runSearches<SearchHit>(task, run, sink, {
    itemOf: (hit) => (hasData(hit) ? hit : undefined),
    keyOf: ({ place }) => place,
    isAccepted: ({ place }) => !rejectionReason(place, task.filter),
    ...emitter(task, sink),
  })
}

// Shared by all searches and clients, because the next client starts the search again.
function emitter(task: TaskContext, sink: Sink) {
  const listedKeys = new Set<string>()
  const limit = pLimit(FINISHED_AT_ONCE)
  let handedOver = 0
  return {
    listedCount: () => listedKeys.size,
    acceptedCount: () => handedOver,
    async emit(items: readonly SearchHit[]): Promise<void> {
      const unlisted = items.filter(({ place }) => !listedKeys.has(place.place_key))
      for (const { place } of unlisted) listedKeys.add(place.place_key)
      const missing = unlisted.filter(({ place }) => !task.stored.has(place.place_key))
      const accepted = missing.filter((item) => isAcceptedPlace(task, item))
      const finished = await Promise.allSettled(accepted.map((item) => limit(finish, task, item, sink)))
      accepted.forEach(({ place }, nth) => {
        if (finished[nth]?.status === 'rejected') listedKeys.delete(place.place_key) // another exit will finish it
      })
      const failed = finished.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
      handedOver += accepted.length
    },
  }
}

function isAcceptedPlace({ outcomes, filter }: TaskContext, { place }: SearchHit): boolean {
  const reason = rejectionReason(place, filter)
  if (reason) outcomes[reason]++
  return reason === undefined
}

async function finish(task: TaskContext, hit: SearchHit, sink: Sink): Promise<void> {
  task.signal.throwIfAborted()
  const { place, extra } = hit.whole()
  const finished = await finishPlace(task, place, place, extra, [])
  if (finished.limited) countLimited(task)
  await sink.place(finished)
}
