import fc from 'fast-check'

const SURROGATES = 0xd800
const SURROGATES_COUNT = 0x800

const characterAt = (nth: number): string => String.fromCodePoint(nth < SURROGATES ? nth : nth + SURROGATES_COUNT)

/** Returns the number of a character. fast-check takes an error as "not one of these characters". */
function numberOf(value: unknown): number {
  const code = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0
  const nth = code < SURROGATES ? code : code - SURROGATES_COUNT
  if (nth < 0 || characterAt(nth) !== value) throw new Error('not one character')
  return nth
}

const anyCharacter = fc.nat(0x10ffff - SURROGATES_COUNT).map(characterAt, numberOf)

/**
 * Generates texts of any characters, the same as `fc.string({ unit: 'binary' })` does for a seed. That one fills a map
 * of a million characters first, which takes a second in each worker process.
 */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter })

/** Generates a part of a URL: any text, encoded. The arbitraries of fast-check for URLs fill the same map. */
const anyPart = anyText({ maxLength: 10 }).map(encodeURIComponent)

/** Generates a path: some parts, each after a slash. */
export const anyPath: fc.Arbitrary<string> = fc
  .array(anyPart, { maxLength: 5 })
  .map((parts) => parts.map((part) => `/${part}`).join(''))
