/**
 * Estimates how many places two independent looks have missed. If the second look finds few places that the first one
 * missed, few places are missing.
 *
 * The estimate is Chapman's (Univ. California Publ. Statist. 1, 1951), the interval the transformed logit interval of
 * Sadinle (Comm. Statist. Simul. Comput. 38, 2009). Both expect looks that are independent of one another. But a place
 * that is hard to find is hard for both looks, so both would be too low. The odds ratio of two further looks among the
 * places that the first one found measures this, as in a log-linear model without a three-way interaction (Fienberg,
 * Biometrika 59, 1972).
 */

/** Places by the looks that found them. */
export type Captures = { both: number; first: number; second: number }

/** The odds ratio of two looks: 1 when they are independent. `variance` is that of its logarithm. */
export type Dependence = { ratio: number; variance: number }

export const INDEPENDENT: Dependence = { ratio: 1, variance: 0 }

/** A number of places that exist and were not found: its estimate, and the centre and spread of its interval. */
export type Unseen = { estimate: number; centre: number; variance: number }

/** The quantile of the normal distribution for 95 %. */
export const Z95 = 1.959964

/**
 * What a few places say about the dependence of two looks counts little: it is weighed against ten independent places,
 * which fall into the four groups alike.
 */
const PRIOR = 2.5

/** Returns the dependence of two looks, by how many places both, only the one, only the other, and neither found. Never below 1. */
export function dependenceOf(both: number, one: number, other: number, neither: number): Dependence {
  const [a, b, c, d] = [both + PRIOR, one + PRIOR, other + PRIOR, neither + PRIOR]
  return { ratio: Math.max(1, (a * d) / (b * c)), variance: 1 / a + 1 / b + 1 / c + 1 / d }
}

/**
 * Returns a dependence as strong as the upper end of an interval must assume. Places that a look missed depend on one
 * another more than those that it found. The square keeps the promise of the interval in simulations of mixed places.
 */
export const strongest = ({ ratio, variance }: Dependence): Dependence => ({
  ratio: ratio ** 2,
  variance: 4 * variance,
})

/** Returns the places that neither of two looks found. `variance` is that of the logarithm. */
export function unseenBy({ both, first, second }: Captures, { ratio, variance }: Dependence = INDEPENDENT): Unseen {
  const [m, a, b] = [both + 0.5, first + 0.5, second + 0.5]
  return {
    estimate: (ratio * first * second) / (both + 1),
    centre: (ratio * a * b) / m,
    variance: 1 / m + 1 / a + 1 / b + m / (a * b) + variance,
  }
}

/** Returns the interval that holds the number of unseen places in 95 of 100 cases. */
export function intervalOf({ estimate, centre, variance }: Unseen): { low: number; high: number } {
  const factor = Math.exp(Z95 * Math.sqrt(variance))
  return {
    low: Math.max(0, Math.min(estimate, centre / factor - 0.5)),
    high: Math.max(estimate, centre * factor - 0.5),
  }
}
