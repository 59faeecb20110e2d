import type { Town } from './schema.ts'

const NEWLINE = 10

/**
 * Returns the towns whose name begins with `name`, in the form of `searchedName`. Exact matches count as larger; then
 * the largest come first. `towns` is the text of `packTowns`.
 */
export function searchTowns(towns: Buffer, name: string, limit: number): Town[] {
  if (name === '') return []
  const found = linesFrom(towns, name)
  found.sort((one, other) => weight(other, name) - weight(one, name))
  return found.slice(0, limit).map(({ town }) => town)
}

/** Returns the towns with exactly this name, in the form of `searchedName`, the largest first. */
export function townsNamed(towns: Buffer, name: string): Town[] {
  if (name === '') return []
  const found = linesFrom(towns, `${name}\t`).map(({ town }) => town)
  return found.sort((one, other) => other.population - one.population)
}

type Line = { searched: string; town: Town }

function linesFrom(towns: Buffer, start: string): Line[] {
  const prefix = Buffer.from(start)
  const lines: Line[] = []
  let at = firstLineFrom(towns, prefix)
  while (at < towns.length && towns.subarray(at, at + prefix.length).equals(prefix)) {
    const end = towns.indexOf(NEWLINE, at)
    const [searched = '', ...columns] = towns.toString('utf8', at, end).split('\t')
    lines.push({ searched, town: townOf(columns) })
    at = end + 1
  }
  return lines
}

/**
 * Returns the weight of a match. An exact name counts as a town ten times its size: "Wels" before "Welshpool", and
 * "Paris" in France before all.
 */
const weight = ({ town, searched }: Line, name: string): number => town.population * (searched === name ? 10 : 1)

/** Returns the start of the first line that is not below `prefix`, by binary search. */
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
