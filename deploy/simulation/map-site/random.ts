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

/** A stream of pseudo-random values. The same parts give the same stream. */
export interface Chance {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** Returns true with the given probability. */
  happens(probability: number): boolean
  /** Returns a member of a non-empty list. */
  pick<T>(list: readonly [T, ...T[]]): T
  /** Returns characters of the base64url alphabet. */
  token(length: number): string
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Creates the stream of these numbers (seed, place, purpose). */
export function chance(...parts: number[]): Chance {
  const start = mix(START, hash(...parts))
  let step = 0
  const next = () => (mix(start, ++step) >>> 0) / 0x1_0000_0000
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const token = (length: number) => {
    let signs = ''
    while (signs.length < length) signs += ALPHABET[between(0, 63)]
    return signs
  }
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    token,
  }
}
