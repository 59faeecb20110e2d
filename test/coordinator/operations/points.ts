import type { Operation } from './operation.ts'

/** Which writes of an operation a table takes: all, or the first, the last and one between. */
export type Points = 'all' | 'sample'

const { PROPERTY_SEED = '1' } = process.env

/** Chooses the write between. PROPERTY_SEED sets it, as for property tests. */
export const SEED = PROPERTY_SEED === 'random' ? String(Date.now()) : PROPERTY_SEED

/** Returns the numbers of the writes that a table takes, from 1. */
export function pointsOf({ name, when }: Pick<Operation, 'name' | 'when'>, writes: number, points: Points): number[] {
  const all = Array.from({ length: writes }, (_, index) => index + 1)
  const between = all.slice(1, -1)
  const chosen = between[hashOf(`${SEED} ${name} ${when}`) % between.length]
  return points === 'all' ? all : all.filter((point) => point === 1 || point === writes || point === chosen)
}

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7)
