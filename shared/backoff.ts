/**
 * Milliseconds to wait before trying again: `base × 2^(attempt − 1)`, at most `cap`, times a random factor in
 * [0.5, 1.5), so that a fleet that failed together does not return in step.
 */
export function backoffMs(attempt: number, base: number, cap: number, random: () => number = Math.random): number {
  return Math.min(base * 2 ** Math.max(0, attempt - 1), cap) * (0.5 + random())
}
