import { readFile } from 'node:fs/promises'
import type { CreateJobRequest } from '@placefleet/client'
import { geometryOfFile } from '@placefleet/shared/area/geojson'
import type { Geometry } from '@placefleet/shared/area/geometry'
import { reasonOf, UsageError } from '@placefleet/shared/command-line'
import { shownAs, switchOption } from '@placefleet/shared/commands/command'
import { COVERAGES } from '@placefleet/shared/coverage'
import { NEGATED_OPTIONS, RENAMED_OPTIONS } from '@placefleet/shared/job-option-names'
import { LANGUAGES } from '@placefleet/shared/language'
import { columnsNamed, placeColumns, placesIn, readPlaceFile } from '@placefleet/shared/place-file/place-file'
import { REVIEW_ORDERS } from '@placefleet/shared/review-options'
import { WEBSITE_FILTERS } from '@placefleet/shared/web-presence/tiers'
import { z } from 'zod'

const number = (value: string, description: string) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .meta(shownAs(value, description))

const text = (value: string, description: string) => z.string().optional().meta(shownAs(value, description))

/** The options that describe a job. The service checks their bounds. */
export const jobOptions = {
  keywords: z
    .array(z.string())
    .max(5, 'at most 5 keywords')
    .meta(shownAs('keywords', 'what to search for, e.g. "bakery in Berlin"')),
  places: text(
    'file',
    'collect the places of this file, one a line or in a column of a CSV file: links, place ids, CIDs or data ids; keywords are optional then',
  ),
  column: text('name', 'the column of --places; default: those that exports of this and other tools have'),
  name: text('name', 'a name for the job; default: its keywords, or the file of its places'),
  language: z
    .enum(LANGUAGES, 'is not one of the languages, e.g. en')
    .default('en')
    .meta(shownAs('code', 'language of the texts about places (default en)')),
  max: number('places', 'the most places to collect (default 50; with --exhaust no limit but the cost)'),
  max_cost: text('credits', 'the most the job may cost; the job stops at this limit and keeps its places'),
  depth: number('pages', 'pages of each search, 1 to 20 (default 5)'),
  lat: text('degrees', 'latitude of the centre of the search'),
  lon: text('degrees', 'longitude of the centre of the search'),
  near: text('town', 'a town as the centre, in place of --lat and --lon, e.g. "Limassol" or "Berlin, DE"'),
  radius: number(
    'metres',
    'keep only places within this distance of the centre; default with --near: by the size of the town',
  ),
  bbox: z
    .string()
    .regex(/^(-?\d{1,3}(\.\d{1,20})?,){3}-?\d{1,2}(\.\d{1,20})?$/, 'must be four degrees: west,south,east,north')
    .transform((edges) => edges.split(',').map(Number))
    .optional()
    .meta(shownAs('degrees', 'keep only places in the box west,south,east,north, e.g. 33.02,34.66,33.07,34.7')),
  area: text('file', 'keep only places in the polygons of a GeoJSON file'),
  zoom: number('level', 'zoom of the map, 1 to 21; default: the site chooses it'),
  max_time: number('seconds', 'the longest duration of the job (default 1800)'),
  proxies: z
    .string()
    .transform((list) => list.split(/,|\r?\n/))
    .optional()
    .meta(shownAs('list', 'your own proxies, separated by commas or lines: URLs, or host:port:user:password')),
  country: text('code', 'country whose view of the map is used, e.g. cy'),
  emails: switchOption('visit the websites for email addresses'),
  reviews: number('count', 'reviews per place (default 0)'),
  reviews_sort: z
    .enum(REVIEW_ORDERS, `must be one of ${REVIEW_ORDERS.join(', ')}`)
    .optional()
    .meta(shownAs('order', `order in which reviews are read: ${REVIEW_ORDERS.join(', ')} (default newest)`)),
  reviews_since: text('date', 'only reviews of this date or later, e.g. 2026-01-31; older ones cost nothing'),
  reviews_ratings: z
    .string()
    .regex(/^[1-5](,[1-5])*$/, 'must be numbers of stars, e.g. 1,2')
    .transform((stars) => stars.split(',').map(Number))
    .optional()
    .meta(shownAs('stars', 'only reviews with these stars, e.g. 1,2; the others cost nothing')),
  anonymous_reviews: switchOption('leave out the names, links and pictures of reviewers'),
  images: number('count', 'images per place (default 0)'),
  website_filter: z
    .enum(WEBSITE_FILTERS, `must be one of ${WEBSITE_FILTERS.join(', ')}`)
    .optional()
    .meta(shownAs('filter', `keep only places with or without a website: ${WEBSITE_FILTERS.join(', ')}`)),
  categories: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .optional()
    .meta(shownAs('list', 'keep only places of these categories, separated by commas; the others cost nothing')),
  min_rating: z
    .string()
    .regex(/^\d(\.\d+)?$/, 'must be a number of stars, e.g. 4.5')
    .transform(Number)
    .optional()
    .meta(shownAs('stars', 'keep only places with this rating or a better one; the others cost nothing')),
  min_review_count: number('count', 'keep only places with so many reviews or more; the others cost nothing'),
  has_phone: switchOption('keep only places with a phone; the others cost nothing'),
  no_phone: switchOption('keep only places without a phone; the others cost nothing'),
  exclude_closed: switchOption('drop places that are closed, permanently or temporarily; they cost nothing'),
  only_new: switchOption('keep only places that you do not know from earlier jobs or uploads; the others cost nothing'),
  recheck_after: number('days', 'with --only-new: days after which a known place counts as new again'),
  exhaust: switchOption('search on until nothing new is found, with an area and --max-cost'),
  coverage: z
    .enum(COVERAGES, `must be one of ${COVERAGES.join(', ')}`)
    .optional()
    .meta(
      shownAs(
        'kind',
        `what \`jobs coverage\` tells afterwards: ${COVERAGES.join(', ')} (with an estimate of all places)`,
      ),
    ),
  demo: switchOption('collect from the simulated city of `npm start`, at no cost'),
  fast: switchOption('collect only the fields of the search results; several times faster'),
}

type JobOptions = z.infer<z.ZodObject<typeof jobOptions>>

const NAME_LENGTH = 200

/** What the files of the options hold, in place of their names. */
type FileContents = { area?: Geometry | undefined; places?: string[] | undefined }

/** Returns the request of a job with these options. The service sets the defaults of omitted options. */
export function jobRequest(options: JobOptions, files: FileContents = {}): CreateJobRequest {
  const { keywords, language } = options
  const { name = (keywords.join(', ') || (options.places ?? '')).slice(0, NAME_LENGTH) } = options
  const values: Readonly<Record<string, unknown>> = {
    ...options,
    keywords: undefined,
    area: undefined,
    places: undefined,
    column: undefined,
    ...files,
  }
  const fields = Object.keys(jobOptions).flatMap((option) => {
    const value = values[option]
    if (value === undefined) return []
    const negated = NEGATED_OPTIONS[option]
    return negated ? [[negated, false] as const] : [[RENAMED_OPTIONS[option] ?? option, value] as const]
  })
  return { ...Object.fromEntries(fields), name, language, ...(keywords.length > 0 && { keywords }) }
}

/**
 * Returns the request of a job with these options, in the area and with the places of their files.
 * @throws UsageError when a file cannot be read or holds something else, when options contradict each other, or when
 * the job has nothing to collect.
 */
export async function requestOf(options: JobOptions): Promise<CreateJobRequest> {
  if (options.has_phone && options.no_phone) throw new UsageError('Pass --has-phone or --no-phone, not both.')
  if (options.column !== undefined && options.places === undefined) throw new UsageError('--column needs --places.')
  if (options.keywords.length === 0 && options.places === undefined) {
    throw new UsageError('Pass keywords, e.g. "bakery in Berlin", or --places with a file of places.')
  }
  return jobRequest(options, {
    area: options.area === undefined ? undefined : await readArea(options.area),
    places: options.places === undefined ? undefined : await readPlaces(options.places, options.column),
  })
}

async function readPlaces(file: string, column: string | undefined): Promise<string[]> {
  const fault = (text: string) => new UsageError(`--places: ${file}: ${text}`)
  const read = await readFile(file)
    .then(readPlaceFile)
    .catch((error: unknown) => {
      throw fault(reasonOf(error))
    })
  const columns = column === undefined ? placeColumns(read) : columnsNamed(read, column)
  if (columns.length === 0) {
    throw fault(`it is not clear which column has the places. Pass --column with one of: ${read.columns.join(', ')}.`)
  }
  const { places, wrongLines } = placesIn(read, columns)
  const [wrong] = wrongLines
  if (wrong !== undefined) {
    const lines = wrongLines.length === 1 ? '' : ` (and ${wrongLines.length - 1} more)`
    throw fault(
      `line ${wrong}${lines} names no place. Write a link of the map site, a place id (ChIJ…), a CID or a data id (0x…:0x…).`,
    )
  }
  if (places.length === 0) throw fault('it names no place.')
  return places
}

async function readArea(file: string): Promise<Geometry> {
  try {
    return geometryOfFile(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`--area: ${file}: ${reasonOf(error)}`)
  }
}
