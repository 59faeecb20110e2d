import { distance } from 'fastest-levenshtein'

/** A longer name is cut before the comparison, because it is not a typing error. */
const MAX_LENGTH = 100

/**
 * Returns the name that a writer most likely meant, or undefined when at least half of the letters differ from each
 * name. Case, `_` and `-` do not count.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const plain = plainName(written.slice(0, MAX_LENGTH))
  const ranked = names
    .map((name) => ({ name, edits: distance(plain, plainName(name)), length: plainName(name).length }))
    .filter(({ edits, length }) => edits <= Math.max(plain.length, length) * 0.5)
    .sort((a, b) => a.edits - b.edits)
  return ranked[0]?.name
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')
