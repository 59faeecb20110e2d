/** Returns a 32-bit hash of whole numbers (the finalizer of MurmurHash3 after each part). */
export function hash(...parts: number[]): number {
  let h = 0x9e3779b9
  for (const part of parts) {
    h = Math.imul(h ^ (part | 0), 0x85ebca6b)
    h ^= h >>> 13
    h = Math.imul(h + 0x165667b1, 0xc2b2ae35)
    h ^= h >>> 16
  }
  return h >>> 0
}

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
  const start = hash(...parts)
  let step = 0
  const next = () => hash(start, ++step) / 0x1_0000_0000
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    token: (length) => Array.from({ length }, () => ALPHABET[between(0, 63)]).join(''),
  }
}
