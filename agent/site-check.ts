import type { Place } from '@placefleet/shared/place'
import type { CollectionEnd, Collector } from './collect/collector.ts'
import type { Sink, Task } from './collect/task.ts'
import { isEssential, PLACE_PATHS, SEARCH_PATHS, type WatchedPath } from './drift/watched-paths.ts'
import type { DoorCheck } from './maps/reviews/http.ts'
import { MapFailed } from './maps/session/fault.ts'

/** The search of the site check. Coordinates in degrees; `radius` and `zoom` as in a job. */
export type SiteQuestion = {
  readonly keyword: string
  readonly language: Task['parameters']['language']
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

/** The result of one request: its places and fields, or why it failed. */
export type Answered = {
  readonly ok: boolean
  readonly places: number
  readonly failure?: string
  readonly fields: readonly (WatchedPath & { readonly came: boolean })[]
}

/** The state of the map site. It is healthy when both answers have all required fields. */
export type SiteReport = {
  readonly healthy: boolean
  readonly conclusion: string
  readonly search: Answered
  readonly place: Answered
  /** The addresses that list reviews over plain HTTP. The site may shut each of them without being unhealthy. */
  readonly reviews: readonly DoorCheck[]
}

const ONE_PAGE = 1
const A_FEW = 20

/** Runs one search, collects one of its places, and reports the fields of both. */
export async function checkSite(collector: Collector, question: SiteQuestion): Promise<SiteReport> {
  const listed = await gather(collector, question, { kind: 'discover', keyword: question.keyword })
  const best = listed.places.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0]
  const collected = best
    ? await gather(collector, question, {
        kind: 'collect',
        references: [{ place_key: best.place_key, title: best.title }],
      })
    : NOTHING_LISTED
  const search = answered(listed, SEARCH_PATHS)
  const place = answered(collected, PLACE_PATHS)
  const reviews = best ? await reviewDoors(collector, question, best) : []
  return { healthy: search.ok && place.ok, conclusion: conclusionOf(search, place), search, place, reviews }
}

/** Empty where every exit rests after the requests before. */
async function reviewDoors(collector: Collector, { language }: SiteQuestion, place: Place): Promise<DoorCheck[]> {
  try {
    return await collector.checkReviewDoors({ place_key: place.place_key }, { language })
  } catch (error) {
    if (error instanceof MapFailed) return []
    throw error
  }
}

type Gathered = { readonly places: Place[]; readonly end: CollectionEnd | undefined }

const NOTHING_LISTED: Gathered = { places: [], end: undefined }

async function gather(collector: Collector, question: SiteQuestion, work: Task['work']): Promise<Gathered> {
  const places: Place[] = []
  const sink: Sink = {
    place: async (place) => void places.push(place),
    references: async () => undefined,
    cells: () => undefined,
  }
  const end = await collector.collect(taskOf(question, work), sink, new AbortController().signal)
  return { places, end }
}

function taskOf({ language, latitude, longitude }: SiteQuestion, work: Task['work']): Task {
  const parameters = {
    language,
    latitude,
    longitude,
    depth: ONE_PAGE,
    fast_mode: true,
    include_emails: false,
    max_images: A_FEW,
    max_reviews: work.kind === 'collect' ? A_FEW : 0,
    reviews_sort: 'newest',
    reviewer_names: true,
    website_filter: 'all',
    zoom: 0,
    radius: 0,
  } as const
  const nobody = { task_id: 'site-check', job_id: 'site-check', proxies: [], stored_place_keys: [] }
  return { ...nobody, work, parameters, places_wanted: A_FEW }
}

function answered({ places, end }: Gathered, watched: readonly WatchedPath[]): Answered {
  const fields = watched.map((path) => ({ ...path, came: places.some((place) => place[path.field] !== undefined) }))
  const whole = places.length > 0 && fields.every((field) => field.came || !isEssential(field))
  const failure = failureOf(end)
  return { ok: whole && failure === undefined, places: places.length, ...(failure ? { failure } : {}), fields }
}

function failureOf(end: CollectionEnd | undefined): string | undefined {
  if (end?.kind === 'snoozed') return `blocked: ${end.message}`
  if (end?.kind !== 'failed') return undefined
  const { code, message, detail } = end
  return `${code}: ${message}${detail === undefined || message.includes(detail) ? '' : ` (${detail})`}`
}

/** The result in a sentence. A site that returned nothing has no missing fields. */
function conclusionOf(search: Answered, place: Answered): string {
  if (search.places === 0) return `The map site returned no places${because(search)}.`
  if (place.places === 0) return `The map site returned a list, but not its place${because(place)}.`
  return `The map site ${search.ok && place.ok ? 'returns' : 'does not return'} all required fields.`
}

const because = ({ failure }: Answered): string => (failure === undefined ? '' : `: ${failure}`)
