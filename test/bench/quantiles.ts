/** Returns the function that gives a quantile of some figures, NaN without any. A share of 1 is the largest. */
export function quantiles(figures: readonly number[]): (share: number) => number {
  const sorted = figures.toSorted((one, other) => one - other)
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
