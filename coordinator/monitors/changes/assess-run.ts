import { type Assessed, assess, type Circumstances, type Finding, type Watched, type WatchedPlace } from './rules.ts'

/** What a run found of some places, by place key. */
export type RunFindings = {
  stored: ReadonlyMap<string, { facts: Watched; closed: boolean }>
  /** Known places that its searches listed, and that it did not collect again. */
  listed: ReadonlySet<string>
  /** Places that it looked at directly. */
  looks: ReadonlySet<string>
}

/**
 * Compares what a run found with what its monitor knew before, and returns the changed places.
 * @param known the places of the monitor, by their keys.
 */
export function assessRun(
  known: ReadonlyMap<string, WatchedPlace>,
  findings: RunFindings,
  circumstances: Circumstances,
): Map<string, Assessed> {
  const keys = new Set([...known.keys(), ...findings.stored.keys(), ...findings.listed])
  const assessed = new Map<string, Assessed>()
  for (const key of keys) {
    const before = known.get(key)
    const after = assess(before, findingOf(key, findings, circumstances), circumstances)
    if (after.place !== before || after.change) assessed.set(key, after)
  }
  return assessed
}

function findingOf(key: string, { stored, listed, looks }: RunFindings, { whole }: Circumstances): Finding {
  const found = stored.get(key)
  if (looks.has(key) && (found || whole))
    return { kind: 'looked', closed: found?.closed ?? false, ...(found && { facts: found.facts }) }
  if (found) return { kind: 'stored', facts: found.facts, closed: found.closed }
  return listed.has(key) ? { kind: 'listed' } : { kind: 'absent' }
}
