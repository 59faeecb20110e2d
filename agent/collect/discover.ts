import { holds } from '@placefleet/shared/cell'
import { isSurelyKept, listingRejectionReason, rejectionReason } from '@placefleet/shared/place-filter'
import pLimit from 'p-limit'
import { ask } from '../maps/requests/attempt.ts'
import type { PageHit } from '../maps/search/browser.ts'
import { searchForSure, searchInBrowserForSure } from '../maps/search/control.ts'
import type { SearchEnd } from '../maps/search/http.ts'
import type { SearchHit } from '../maps/search/payload.ts'
import { auditCells } from './audit-cells.ts'
import { finishPlace } from './finish-place.ts'
import { type AreaSearch, searchArea } from './search-area.ts'
import type { Sink, Task, TaskContext } from './task.ts'
import { countLimited } from './task-failed.ts'

type Searches = Extract<Task['work'], { kind: 'discover' }>

/** Searches in the area of the job or in given cells, or audits cells. Only the last two report the keys of places. */
function search({ keyword, audit, cells }: Searches, task: TaskContext, area: AreaSearch): Promise<void> {
  if (audit) return auditCells(task, keyword, audit, area)
  const record: AreaSearch['record'] = (cell) => area.record(cells ? cell : { ...cell, place_keys: [] })
  return searchArea(task, keyword, { ...area, record }, cells)
}

/** What a task makes of the places that its searches list: references to collect later, or in fast mode places. */
type Listing = {
  /** Whether the search brought the data that the task needs of a place. */
  isUsable(hit: PageHit): boolean
  isAccepted(hit: PageHit): boolean
  /** Passes on the places that no earlier search listed, and drops and counts those that the job excludes. */
  emit(hits: readonly PageHit[]): Promise<void>
} & Pick<AreaSearch, 'listedCount' | 'acceptedCount'>

/** Passes on the references of the places that searches list, as each page arrives. Throws TaskFailed. */
export function discover(task: TaskContext, work: Searches, sink: Sink): Promise<void> {
  const listedKeys = new Set<string>() // shared by all searches and clients, because the next client starts again
  let accepted = 0
  return runSearches(task, work, sink, {
    isUsable: () => true,
    isAccepted: (hit) => !listingRejectionReason(referenceOf(hit), task.filter),
    async emit(hits) {
      const references = addNew(listedKeys, hits)
        .map(referenceOf)
        .filter((place) => isKept(task, listingRejectionReason(place, task.filter)))
      accepted += references.filter((place) => isSurelyKept(place, task.filter)).length
      if (references.length > 0) await sink.references(references)
    },
    listedCount: () => listedKeys.size,
    acceptedCount: () => accepted,
  })
}

async function runSearches(task: TaskContext, work: Searches, sink: Sink, listing: Listing): Promise<void> {
  const { drift } = task
  await search(work, task, {
    async searchCell(query, extent, listed, isEnough) {
      const { cell } = extent
      let lacksData = false
      /** Returns the hits that the task can use, and adds the keys of those that count for the cell to `listed`. */
      const note = (hits: readonly PageHit[]): PageHit[] => {
        drift.listed(hits.filter(hasData).map(({ place }) => place))
        const usable = hits.filter(listing.isUsable)
        lacksData ||= usable.length < hits.length
        const counted = usable.filter((hit) => (!cell || holds(cell, hit.place)) && listing.isAccepted(hit))
        for (const { place } of counted) listed.add(place.place_key)
        return usable
      }
      // An open page has a time limit, so it does not wait until what it lists is received.
      let passing = Promise.resolve()
      const passOn = (hits: readonly PageHit[]) => {
        passing = passing.then(() => listing.emit(hits))
        passing.catch(() => undefined) // thrown when the search has ended
      }
      const asking = ask<SearchEnd>(task, {
        door: 'search',
        byHttp: (session) =>
          searchForSure(session, listing.listedCount() > 0, query, {
            extent,
            onPlaces: (hits) => listing.emit(note(hits)),
            isEnough,
          }),
        async inBrowser(tab) {
          lacksData = false
          const end = await searchInBrowserForSure(tab, query, extent, (hits) => passOn(note(hits)))
          return { ...end, limited: end.limited || lacksData }
        },
        missing: (end) => (end.limited ? 1 : 0),
        verdictOn: ({ hasPlaces }) => (hasPlaces ? 'whole' : 'doubtful_empty'),
      })
      return asking.finally(() => passing)
    },
    record: (cell) => sink.cells([cell]),
    listedCount: listing.listedCount,
    acceptedCount: listing.acceptedCount,
  })
}

function addNew<Hit extends PageHit>(keys: Set<string>, hits: readonly Hit[]): Hit[] {
  const added = hits.filter(({ place }) => !keys.has(place.place_key))
  for (const { place } of added) keys.add(place.place_key)
  return added
}

function isKept({ outcomes }: TaskContext, reason: ReturnType<typeof rejectionReason>): boolean {
  if (reason) outcomes[reason]++
  return reason === undefined
}

const hasData = (hit: PageHit): hit is SearchHit => 'whole' in hit

/** The rating of a place without one. The site holds back the counts of a place, but not its rating. */
const UNRATED = 0

/** Returns a reference, and the values that the search lists for the filters of the job. */
function referenceOf(hit: PageHit) {
  if (!hasData(hit)) return hit.place
  const { rating, review_count } = hit.place
  return { ...hit.place, rating: rating ?? (review_count ? undefined : UNRATED) }
}

/** How many places' reviews are read at the same time. */
const FINISHED_AT_ONCE = 5

/** Passes on the places that searches list, with the reviews that the job requests. Throws TaskFailed. */
export function discoverFast(task: TaskContext, work: Searches, sink: Sink): Promise<void> {
  const listedKeys = new Set<string>()
  const limit = pLimit(FINISHED_AT_ONCE)
  let handedOver = 0
  return runSearches(task, work, sink, {
    isUsable: hasData,
    isAccepted: ({ place }) => !rejectionReason(place, task.filter),
    async emit(hits) {
      const accepted = addNew(listedKeys, hits.filter(hasData))
        .filter(({ place }) => !task.stored.has(place.place_key))
        .filter(({ place }) => isKept(task, rejectionReason(place, task.filter)))
      const finished = await Promise.allSettled(accepted.map((hit) => limit(finish, task, hit, sink)))
      accepted.forEach(({ place }, nth) => {
        if (finished[nth]?.status === 'rejected') listedKeys.delete(place.place_key) // another exit will finish it
      })
      const failed = finished.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
      handedOver += accepted.length
    },
    listedCount: () => listedKeys.size,
    acceptedCount: () => handedOver,
  })
}

async function finish(task: TaskContext, hit: SearchHit, sink: Sink): Promise<void> {
  task.signal.throwIfAborted()
  const { place, extra } = hit.whole()
  const finished = await finishPlace(task, place, place, extra, [])
  if (finished.limited) countLimited(task)
  await sink.place(finished)
}
