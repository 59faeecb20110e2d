import type { Schemas } from '../api/client.ts'

type Answer = Schemas['EstimateAnswer']
type Estimate = Answer['estimate']

/** Returns the estimate of several jobs that run one after the other. */
export const sumOfEstimates = (answers: readonly Answer[]): Answer =>
  answers.reduce(({ balance, estimate }, other) => {
    const sum = sumOf(estimate, other.estimate)
    return { balance: { ...balance, sufficient: balance.current >= sum.total_min }, estimate: sum }
  })

const sumOf = (one: Estimate, other: Estimate): Estimate => ({
  ...one,
  ...sums(one, other, ['places', 'places_min', 'places_max', 'total', 'total_min', 'total_max']),
  ...sums(one, other, ['places_known', 'places_within_max_cost', 'fast_mode_seconds']),
  breakdown: { ...one.breakdown, ...sums(one.breakdown, other.breakdown, keysOf(one.breakdown)) },
  seconds: { ...one.seconds, ...sums(one.seconds, other.seconds, keysOf(one.seconds)) },
})

const keysOf = <Figures extends object>(figures: Figures) => Object.keys(figures) as (keyof Figures & string)[]

/** Adds the figures of these names. One that is absent from the first stays absent. */
function sums<Name extends string>(
  one: { readonly [Key in Name]?: number },
  other: { readonly [Key in Name]?: number },
  names: readonly Name[],
): { [Key in Name]?: number } {
  const added = names.flatMap((name) => {
    const [figure, more = 0] = [one[name], other[name]]
    return figure === undefined ? [] : [[name, Math.round((figure + more) * MICRO) / MICRO] as const]
  })
  return Object.fromEntries(added) as { [Key in Name]?: number }
}

/** Amounts have at most six decimals. */
const MICRO = 1_000_000
