/**
 * The name a writer most likely meant, or undefined when none is near: at most half of the letters may
 * differ. Case and the separators `_` and `-` do not count.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const plain = plainName(written.slice(0, 100))
  const ranked = names
    .map((name) => ({ name, distance: editDistance(plain, plainName(name)), length: plainName(name).length }))
    .filter(({ distance, length }) => distance <= Math.max(plain.length, length) * 0.5)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/**
 * Number of letters to insert, delete, replace or swap with their neighbour to turn one text into the other (optimal
 * string alignment).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
