/**
 * How often runs of a monitor find the places that exist. One answer of the map site leaves places out at random: four
 * equal runs agreed on half of the places they saw together. So a place is missed by chance, and how likely that is
 * follows from its own history and from the places around it.
 */

/** How often a place was found and missed by whole runs, after the run that saw it first. */
export type History = { found: number; missed: number }

/** The histories of places, each with the number of places that have it; by default one. */
export type Histories = readonly (History & { places?: number })[]

/** How likely a run finds a place, before anything is known of the place: a beta distribution. */
export type Prior = { found: number; missed: number }

/** Nothing is known: every likelihood is as likely. */
export const UNKNOWN: Prior = { found: 1, missed: 1 }

/** A prior never counts for more runs than this, so that a place's own history soon outweighs it. */
const HEAVIEST = 200
const LIGHTEST = 2

/**
 * Returns the prior that the places of a monitor suggest: their mean, weighed by how alike they are (method of moments
 * for the beta-binomial distribution).
 */
export function priorOf(histories: Histories): Prior {
  const known = histories.filter(({ found, missed }) => found + missed > 0)
  const runs = sum(known.map(({ found, missed, places = 1 }) => places * (found + missed)))
  if (runs === 0) return UNKNOWN
  const mean = clamp((sum(known.map(({ found, places = 1 }) => places * found)) + 1) / (runs + 2), 0.01, 0.99)
  const squares = known.map(
    ({ found, missed, places = 1 }) => places * (found + missed) * (found / (found + missed) - mean) ** 2,
  )
  const bySampling = (mean * (1 - mean) * sum(known.map(({ places = 1 }) => places))) / runs
  const unlike = clamp((sum(squares) / runs - bySampling) / (mean * (1 - mean)), 1 / (HEAVIEST + 1), 1 / (LIGHTEST + 1))
  const weight = 1 / unlike - 1
  return { found: mean * weight, missed: (1 - mean) * weight }
}

/** Returns the chance that a place with this history, if it exists, is missed by `runs` whole runs in a row. */
export function chanceOfMissing({ found, missed }: History, runs: number, prior: Prior): number {
  const all = prior.found + prior.missed + found + missed
  let chance = 1
  for (let run = 0; run < runs; run++) chance *= (prior.missed + missed + run) / (all + run)
  return chance
}

/** A place is suspected to be gone when the chance to miss it is below this. */
export const SUSPICIOUS = 0.01

/**
 * Returns how many places most likely exist that no run has found yet. Each found place stands for missed places that
 * were equally hard to find (the estimator of Horvitz and Thompson).
 */
export function expectedUnseen(histories: Histories, runs: number, prior: Prior): number {
  return sum(
    histories.map(({ places = 1, ...history }) => {
      const chance = chanceOfMissing(history, runs, prior)
      return (places * chance) / (1 - chance)
    }),
  )
}

/** Below this many unseen places, a place that was never seen before counts as new. */
const FEW_UNSEEN = 0.01

/**
 * Returns whether a monitor knows its area well enough to distinguish a new place from one that earlier runs missed.
 */
export const knowsArea = (histories: Histories, runs: number, prior: Prior): boolean =>
  runs >= 2 && expectedUnseen(histories, runs, prior) < FEW_UNSEEN

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)
