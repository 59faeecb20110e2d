import type { PlaceReference } from '@placefleet/shared/place'
import { MapFailed } from '../maps/map-failed.ts'
import { searchInBrowser } from '../maps/search-browser.ts'
import { type SearchEnd, searchByHttp } from '../maps/search-http.ts'
import { inBackground } from './background.ts'
import type { Sink } from './collector.ts'
import { searchOf } from './search-of.ts'
import type { TaskContext } from './task-context.ts'
import { countFault, taskFailure } from './task-failed.ts'
import { certainlyUnwanted } from './wanted.ts'

/**
 * Finds the places of a keyword and hands over their references as each page of the search arrives, each place once.
 * What the search already shows to be unwanted is dropped and counted. Throws TaskFailed.
 */
export async function discover(task: TaskContext, keyword: string, sink: Sink): Promise<void> {
  const { base, ladder, outcomes, parameters } = task
  const search = searchOf(keyword, parameters)
  const seen = new Set<string>() // over all rungs: a higher one begins the search anew
  const emit = async (listed: readonly PlaceReference[]) => {
    const fresh = listed.filter(({ place_key }) => !seen.has(place_key))
    for (const { place_key } of fresh) seen.add(place_key)
    const wanted = fresh.filter((place) => isWanted(task, place))
    if (wanted.length > 0) await sink.references(wanted)
  }
  const background = inBackground(emit)
  const { answer, limited } = await orFail(
    task,
    ladder.climb<SearchEnd>({
      subject: 'search',
      byHttp: (visitor) =>
        searchByHttp(visitor, base, search, parameters.depth, (found) =>
          emit(found.map(({ place }) => referenceOf(place))),
        ),
      inBrowser: (page) =>
        searchInBrowser(page, base, search, parameters.depth, (listed) => background.hand(listed.map(referenceOf))),
      gaps: (end) => (end.limited ? 1 : 0),
      proves: () => false,
    }),
  )
  await background.done()
  if (limited) outcomes.limited++
  if (!answer.found && seen.size === 0) outcomes.empty++
}

/** What the ladder finds, or the failure of the task, counted. */
export async function orFail<T>(task: TaskContext, climbing: Promise<T>): Promise<T> {
  try {
    return await climbing
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    countFault(task.outcomes, error)
    throw taskFailure(error)
  }
}

function isWanted({ outcomes, parameters }: TaskContext, place: PlaceReference): boolean {
  const reason = certainlyUnwanted(place, parameters)
  if (reason) outcomes[reason]++
  return reason === undefined
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
