const START = 0x9e3779b9

/** Adds a part to a hash: the finalizer of MurmurHash3. */
function mix(before: number, part: number): number {
  let h = Math.imul(before ^ (part | 0), 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h + 0x165667b1, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Returns a 32-bit hash of whole numbers. */
export const hash = (...parts: number[]): number => parts.reduce(mix, START) >>> 0

/** A stream of pseudo-random values. */
export type Chance = ReturnType<typeof chance>

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Creates the stream of these numbers (seed, place, purpose). The same numbers give the same stream. */
export function chance(...parts: number[]) {
  const start = mix(START, hash(...parts))
  let step = 0
  /** A number in [0, 1). */
  const next = () => (mix(start, ++step) >>> 0) / 0x1_0000_0000
  /** A whole number, both ends included. */
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(list: readonly [T, ...T[]]): T => list[between(0, list.length - 1)] ?? list[0]
  return {
    next,
    between,
    happens: (probability: number) => next() < probability,
    pick,
    /** One of several texts, which "|" separates. */
    pickText(texts: string) {
      const [first = '', ...more] = texts.split('|')
      return pick([first, ...more])
    },
    /** Characters of the base64url alphabet. */
    token(length: number) {
      let signs = ''
      while (signs.length < length) signs += ALPHABET[between(0, 63)]
      return signs
    },
  }
}
