import { townRadius } from '@placefleet/shared/great-circle'
import { withLinkedSearches } from '@placefleet/shared/search-link'
import { searchedName } from '@placefleet/shared/text'
import { AppError, type ErrorDetail } from '../http/errors.ts'
import type { Towns } from './find-towns.ts'
import type { Town } from './schema.ts'

/** Finds the only town that a text may mean, e.g. "Limassol", "Berlin, DE" or "Berlin, NH, US". */
export type TownNear = (near: string) => Promise<Town>

type Centred = { keywords?: string[] | undefined; near?: string | undefined; radius?: unknown }

/**
 * Replaces links of searches among the keywords of a request by their words and their centre, and its `near` by the
 * centre of the town, and by a radius for its size if the request has none.
 * @throws the AppErrors of `townNear`.
 */
export async function withCentre<Request extends Centred>(townNear: TownNear, sent: Request) {
  const { near, ...request } = withLinkedSearches(sent)
  if (near === undefined) return request
  const { lat, lon, population } = await townNear(near)
  return { ...request, lat: String(lat), lon: String(lon), radius: request.radius || townRadius(population) }
}

/** The most towns in a refusal. */
const MOST_CANDIDATES = 20

/**
 * Creates the search for the town of `near`. A whole name comes before names that only begin so. After commas may
 * follow its region and its country, as codes or the country's English name.
 * @throws AppError `bad_request` when no town has the name, or several have it: then with the candidates.
 */
export function createTownNear({ townsNamed, findTowns }: Towns): TownNear {
  const candidatesFor = async (near: string): Promise<Town[]> => {
    const whole = await townsNamed(near) // "Washington, D.C.": the comma belongs to the name
    if (whole.length > 0) return whole
    const [name = '', ...parts] = near.split(',')
    const named = await townsNamed(name)
    const towns = named.length > 0 ? named : await findTowns(name, MOST_CANDIDATES)
    return towns.filter((town) => parts.every((part) => liesIn(town, part)))
  }
  return async (near) => {
    const [town, ...others] = await candidatesFor(near)
    if (!town) throw refusal('names no town of the list. Find one with GET /api/v1/towns, or send lat and lon')
    if (others.length > 0) throw ambiguous([town, ...others])
    return town
  }
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })

function liesIn({ region, country }: Town, part: string): boolean {
  return [region, country, COUNTRIES.of(country)].some((name) => searchedName(name ?? '') === searchedName(part))
}

const refusal = (fault: string, others: ErrorDetail[] = []) =>
  new AppError('bad_request', `\`near\` ${fault}.`, { details: [{ path: 'near', message: fault }, ...others] })

function ambiguous(towns: readonly Town[]): AppError {
  const shown = towns.slice(0, MOST_CANDIDATES).map(({ name, region, country, lat, lon, population }) => {
    return { name: `${name}, ${region}, ${country}`, message: `${population} people, lat ${lat}, lon ${lon}` }
  })
  const more = towns.length > shown.length ? ' and smaller ones' : ''
  const names = shown.map(({ name }) => `"${name}"`).join(', ')
  return refusal(
    `may mean several towns. Send one of them, or its lat and lon: ${names}${more}`,
    shown.map(({ name, message }) => ({ path: 'near', message: `${name}: ${message}` })),
  )
}
