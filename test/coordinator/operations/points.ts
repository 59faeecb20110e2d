import type { Operation } from './operation.ts'

/**
 * Which writes of an operation a table takes: all, or two: one between the first and the last, and the write at which
 * the fault that the table looks for is likeliest. Two processes meet at the first one, where both have read the same;
 * a process that dies before the last one has left the most behind.
 */
export type Points = 'all' | { edge: 'first' | 'last' }

const { PROPERTY_SEED = '1' } = process.env

/** Chooses the write between. PROPERTY_SEED sets it, as for property tests. */
export const SEED = PROPERTY_SEED === 'random' ? String(Date.now()) : PROPERTY_SEED

/** Returns the numbers of the writes that a table takes, from 1. */
export function pointsOf({ name, when }: Pick<Operation, 'name' | 'when'>, writes: number, points: Points): number[] {
  const all = Array.from({ length: writes }, (_, index) => index + 1)
  const between = all.slice(1, -1)
  const chosen = between[hashOf(`${SEED} ${name} ${when}`) % between.length]
  if (points === 'all') return all
  const edge = points.edge === 'first' ? 1 : writes
  return all.filter((point) => point === edge || point === chosen)
}

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7)
