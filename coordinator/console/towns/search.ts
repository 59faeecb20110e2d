const NEWLINE = 10

/** A town that was found. */
export type Town = { name: string; country: string; region: string; lat: number; lon: number; population: number }

/**
 * The towns whose name begins with `name` (as `searchedName` writes it): those of exactly this name first, then by
 * population. `towns` is the text of `packTowns`.
 */
export function searchTowns(towns: Buffer, name: string, limit: number): Town[] {
  if (name === '') return []
  const prefix = Buffer.from(name)
  const found: { town: Town; exact: boolean }[] = []
  let at = firstLineFrom(towns, prefix)
  while (at < towns.length && towns.subarray(at, at + prefix.length).equals(prefix)) {
    const end = towns.indexOf(NEWLINE, at)
    const [searched, ...columns] = towns.toString('utf8', at, end).split('\t')
    found.push({ town: townOf(columns), exact: searched === name })
    at = end + 1
  }
  found.sort((one, other) => weight(other) - weight(one))
  return found.slice(0, limit).map(({ town }) => town)
}

/** An exact name counts as a town ten times its size: "Wels" before "Welshpool", and "Paris" in France before all. */
const weight = ({ town, exact }: { town: Town; exact: boolean }): number => town.population * (exact ? 10 : 1)

/** Where the first line that is not below `prefix` begins, by bisection. */
function firstLineFrom(towns: Buffer, prefix: Buffer): number {
  let [low, high] = [0, towns.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : towns.lastIndexOf(NEWLINE, middle - 1) + 1
    if (Buffer.compare(towns.subarray(start, start + prefix.length), prefix) >= 0) high = start
    else low = towns.indexOf(NEWLINE, middle) + 1
  }
  return low
}

function townOf([name = '', country = '', region = '', lat, lon, population]: string[]): Town {
  return { name, country, region, lat: Number(lat), lon: Number(lon), population: Number(population) }
}

/** A name as it is searched: small letters without accents, words divided by one space. */
export function searchedName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
}
