import { type History, knowsArea, priorOf } from './detection.ts'
import { type Assessed, assess, type Finding, type Watched, type WatchedPlace } from './rules.ts'

/** The findings of a run, by place key. */
export type RunFindings = {
  stored: ReadonlyMap<string, { facts: Watched; closed: boolean }>
  /** Known places that its searches listed, and that it did not collect again. */
  listed: ReadonlySet<string>
  /** Places that it looked at directly. */
  looks: ReadonlySet<string>
  /** Whether nothing kept it from searching everything and from looking at every place. */
  whole: boolean
}

/** The result of a run: the changed places, and whether the monitor knows its area. */
export type AssessedRun = { assessed: Map<string, Assessed>; knowsArea: boolean }

/**
 * Compares a run with what its monitor knew before.
 * @param known the places of the monitor, by their keys.
 * @param runs the whole runs before this one.
 */
export function assessRun(known: ReadonlyMap<string, WatchedPlace>, runs: number, findings: RunFindings): AssessedRun {
  const histories = historiesOf(known.values())
  const prior = priorOf(histories)
  const circumstances = { prior, knowsArea: knowsArea(histories, runs, prior), whole: findings.whole }
  const keys = new Set([...known.keys(), ...findings.stored.keys(), ...findings.listed])
  const assessed = new Map<string, Assessed>()
  for (const key of keys) {
    const before = known.get(key)
    const after = assess(before, findingOf(key, findings), circumstances)
    if (after.place !== before || after.change) assessed.set(key, after)
  }
  return { assessed, knowsArea: circumstances.knowsArea }
}

/** Returns how often present places were found and missed so far. Omits suspects, because most of them are gone. */
const historiesOf = (known: Iterable<WatchedPlace>): History[] =>
  [...known]
    .filter(({ state, suspect }) => state === 'present' && !suspect)
    .map(({ found, missed, streak }) => ({ found, missed: missed + streak }))

function findingOf(key: string, { stored, listed, looks, whole }: RunFindings): Finding {
  const found = stored.get(key)
  if (looks.has(key) && (found || whole))
    return { kind: 'looked', closed: found?.closed ?? false, ...(found && { facts: found.facts }) }
  if (found) return { kind: 'stored', ...found }
  return listed.has(key) ? { kind: 'listed' } : { kind: 'absent' }
}
