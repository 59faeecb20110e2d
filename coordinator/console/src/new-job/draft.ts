import { Geometry } from '@placefleet/shared/area/geometry'
import type { ReviewOrder } from '@placefleet/shared/review-options'
import type { Schemas } from '../api/client.ts'
import type { Job } from '../jobs/job-queries.ts'
import type { Circle } from '../map/circle.ts'
import { linesOf } from '../parts/lines.ts'

type JobRequest = Schemas['CreateJobRequest']

/** The job in the form. */
export type Draft = {
  /** Empty: see `nameOf`. */
  name: string
  keywords: string[]
  /** Places by name, one a line. */
  places: string
  language: string
  max_results: number
  lat: string
  lon: string
  radius: number
  /** A shape instead of the circle. It may still cross itself. */
  area?: Geometry | undefined
  /** A box of a copied job, instead of the circle. */
  bbox?: number[] | undefined
  /** The town that was chosen as the centre, if any. */
  town: string
  website_filter: 'all' | 'no_website' | 'has_website'
  /** Names with commas between; empty: all. */
  categories: string
  /** 0: all, also for the count. */
  min_rating: number
  min_review_count: number
  /** Absent: with a phone or without. */
  has_phone?: boolean | undefined
  exclude_closed: boolean
  include_emails: boolean
  max_reviews: number
  reviews_sort: ReviewOrder
  /** A date; empty: no limit. */
  reviews_since: string
  /** Stars; empty: all. */
  reviews_ratings: number[]
  reviewer_names: boolean
  max_images: number
  depth: number
  fast_mode: boolean
  max_minutes: number
  /** Empty: no limit. */
  max_cost: string
  only_new: boolean
  recheck_after?: number | undefined
  country?: string | undefined
  exhaust: boolean
  coverage?: 'none' | 'cells' | 'audited' | undefined
  zoom?: number | undefined
  proxies: string
}

/** Returns an empty form, in the user's language if the map site supports it. */
export const newJobDraft = (language: string): Draft => ({
  name: '',
  keywords: [],
  places: '',
  language,
  max_results: 50,
  lat: '',
  lon: '',
  radius: 0,
  town: '',
  website_filter: 'all',
  categories: '',
  min_rating: 0,
  min_review_count: 0,
  exclude_closed: false,
  include_emails: false,
  max_reviews: 0,
  reviews_sort: 'newest',
  reviews_since: '',
  reviews_ratings: [],
  reviewer_names: true,
  max_images: 0,
  depth: 5,
  fast_mode: false,
  max_minutes: 30,
  max_cost: '',
  only_new: false,
  exhaust: false,
  proxies: '',
})

/** Returns a form with the settings of an existing job, except its proxies, which the API never shows. */
export function jobDraftOf({ name, data }: Pick<Job, 'name' | 'data'>): Draft {
  const { proxy_count: _, max_time, max_cost = '', only_new = false, exhaust = false, ...same } = data
  const { reviews_since = '', reviews_ratings = [], places = [] } = data
  const { categories = [], min_rating = 0, min_review_count = 0, exclude_closed = false } = data
  const usual = newJobDraft(data.language)
  return {
    ...same,
    reviews_since,
    reviews_ratings,
    categories: categories.join(', '),
    min_rating,
    min_review_count,
    exclude_closed,
    exhaust,
    places: places.join('\n'),
    ...((exhaust || places.length > 0) && { max_results: usual.max_results }),
    name,
    town: '',
    max_cost,
    only_new,
    max_minutes: exhaust ? usual.max_minutes : max_time / 60,
    proxies: '',
  }
}

/** Returns a form for the places that a job left: those that it stored are known, so only new ones are collected. */
export function restOf(job: Job): Draft {
  const draft = jobDraftOf(job)
  return { ...draft, only_new: true, max_results: Math.max(1, draft.max_results - job.result_count) }
}

/** Returns whether the job searches in an area, not everywhere. */
export const hasArea = ({ lat, lon, radius, area, bbox }: Draft): boolean =>
  area !== undefined || bbox !== undefined || (lat !== '' && lon !== '' && radius > 0)

const MAX_NAME = 200

/** The name while there is no keyword, so that the API refuses the keywords alone. */
const WITHOUT_KEYWORDS = '-'

const LONGEST_PLACE = 60

/** Returns the places by name, without empty lines. */
export const placesOf = ({ places }: Pick<Draft, 'places'>): string[] =>
  linesOf(places).flatMap((line) => line.trim() || [])

/**
 * Returns the name of the job. The default is its keywords and its town, or the first of its places; English and German
 * both say “in”.
 */
export function nameOf({ name, keywords, town, places }: Draft): string {
  if (name.trim() !== '') return name
  const [first = '', ...others] = keywords.length > 0 ? [] : placesOf({ places })
  if (first !== '') return `${first.slice(0, LONGEST_PLACE)}${others.length > 0 ? ` +${others.length}` : ''}`
  const wanted = keywords.join(', ')
  return [...(town === '' ? wanted : `${wanted} in ${town}`)].slice(0, MAX_NAME).join('') // by characters, so that no pair of surrogates is cut
}

const namesIn = (list: string): string[] => list.split(',').flatMap((name) => name.trim() || [])

/** Returns the body that creates the job, without empty fields. */
export function jobRequestOf(draft: Draft): JobRequest {
  const { keywords, language, lat, lon, radius, area, bbox, country, coverage, zoom, exhaust } = draft
  const { website_filter, categories, min_rating, min_review_count, has_phone, exclude_closed } = draft
  const { include_emails, max_reviews, reviews_sort, reviews_since, reviews_ratings, reviewer_names } = draft
  const { max_images, depth, fast_mode, max_minutes, max_cost, only_new, recheck_after, proxies } = draft
  const named = placesOf(draft)
  const names = namesIn(categories)
  const lines = linesOf(proxies)
  return {
    name: nameOf(draft) || WITHOUT_KEYWORDS,
    website_filter,
    include_emails,
    max_reviews,
    reviews_sort,
    reviewer_names,
    max_images,
    depth,
    fast_mode,
    language: language as JobRequest['language'],
    ...((keywords.length > 0 || named.length === 0) && { keywords }),
    ...(named.length > 0 && { places: named }),
    ...(exhaust ? { exhaust } : { ...capOf(draft, named.length), max_time: Math.round(max_minutes * 60) }),
    ...areaOf({ lat, lon, radius, area, bbox }),
    ...(max_cost === '' ? {} : { max_cost }),
    ...(reviews_since === '' ? {} : { reviews_since }),
    ...(reviews_ratings.length === 0 ? {} : { reviews_ratings }),
    ...(names.length === 0 ? {} : { categories: names }),
    ...(min_rating > 0 && { min_rating }),
    ...(min_review_count > 0 && { min_review_count }),
    ...(has_phone !== undefined && { has_phone }),
    ...(exclude_closed && { exclude_closed }),
    ...(only_new && { only_new, ...(recheck_after !== undefined && { recheck_after }) }),
    ...(country !== undefined && { country }),
    ...(coverage !== undefined && !exhaust && { coverage }),
    ...(zoom !== undefined && { zoom }),
    ...(lines.length === 0 ? {} : { proxies: lines }),
  }
}

/** The most places that one job names and stores. */
const MOST_PLACES = 1_000

/** Returns the cap of the places. Without one, a job collects as many places as it names. */
function capOf({ keywords, max_results }: Draft, named: number): { max_results?: number } {
  if (named === 0) return { max_results }
  const most = named + max_results
  return keywords.length === 0 || most > MOST_PLACES ? {} : { max_results: most }
}

function areaOf({ lat, lon, radius, area, bbox }: Pick<Draft, 'lat' | 'lon' | 'radius' | 'area' | 'bbox'>) {
  if (area) return { area }
  if (bbox) return { bbox }
  return lat === '' && lon === '' ? {} : { lat, lon, radius }
}

/** What a new area of another kind replaces. */
export const WITHOUT_AREA = { lat: '', lon: '', radius: 0, town: '', area: undefined, bbox: undefined }

/** A corner of a shape: longitude and latitude. */
export type Corner = [number, number]

/** The most corners that are drawn as handles. */
const MOST_HANDLES = 60

/** Returns the corners of a shape that can be edited on the map: of one polygon without holes, and with few corners. */
export function cornersOf(area: Geometry | undefined): Corner[] | undefined {
  if (area?.type !== 'Polygon') return undefined
  const [outline = [], hole] = area.coordinates
  if (hole || outline.length > MOST_HANDLES + 1) return undefined
  return outline.slice(0, -1).map(([lon = 0, lat = 0]): Corner => [lon, lat])
}

/** Returns the shape with these corners, at least three. */
export const shapeOf = (corners: readonly Corner[]): Extract<Geometry, { type: 'Polygon' }> => ({
  type: 'Polygon',
  coordinates: [[...corners, ...corners.slice(0, 1)]],
})

/** Returns whether the API refuses the shape, because it crosses or touches itself. */
export const isCrossed = (area: Geometry | undefined): boolean =>
  area !== undefined && !Geometry.safeParse(area).success

/** Settings that a copied job may have, and that no field of the form shows. */
const COPIED = ['bbox', 'country', 'zoom', 'recheck_after', 'coverage'] as const
export type Copied = (typeof COPIED)[number]

/** Returns the settings of the draft that no field shows, with their values. */
export const copiedSettings = (draft: Draft): [Copied, string][] =>
  COPIED.flatMap((field): [Copied, string][] => {
    const value = draft[field]
    const isShown = value === 'audited' // as a checkbox
    const isSent = field !== 'recheck_after' || draft.only_new
    return value === undefined || isShown || !isSent ? [] : [[field, String(value)]]
  })

/** Returns the circle of the draft, if its coordinates are numbers. */
export function circleOf({ lat, lon, radius, area }: Draft): Circle | undefined {
  if (area) return undefined
  const [latitude, longitude] = [Number(lat), Number(lon)]
  if (lat === '' || lon === '' || Number.isNaN(latitude) || Number.isNaN(longitude)) return undefined
  if (Math.abs(latitude) > 85 || Math.abs(longitude) > 180 || radius <= 0) return undefined
  return { lat: latitude, lon: longitude, radius }
}

/** The props of a group of fields. */
export type FieldsProps = {
  draft: Draft
  change(changes: Partial<Draft>): void
  /** Returns what is wrong with a field, if the API refused it. */
  errorOf(field: string): string | undefined
}

/** Returns the number in a field. While the field is empty or incomplete, returns the previous number. */
export const numberOr = (value: string | number, before: number): number => (typeof value === 'number' ? value : before)
