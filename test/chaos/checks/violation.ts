/** Something that must not be, with what it was seen by. */
export type Violation = { check: string; message: string }

/** Collects violations of one kind. */
export function createFindings(check: string) {
  const violations: Violation[] = []
  return {
    violations,
    /** Notes a violation unless the condition holds. */
    expect(holds: boolean, message: string): void {
      if (!holds) violations.push({ check, message })
    },
  }
}

/** Describes the difference of two lists that should be equal; empty when they are. */
export function difference(actual: Iterable<string>, expected: Iterable<string>): string {
  const [have, want] = [new Set(actual), new Set(expected)]
  const missing = [...want].filter((one) => !have.has(one))
  const extra = [...have].filter((one) => !want.has(one))
  const parts = [
    ...(missing.length > 0 ? [`${missing.length} missing (${missing.slice(0, 3)})`] : []),
    ...(extra.length > 0 ? [`${extra.length} too many (${extra.slice(0, 3)})`] : []),
  ]
  return parts.join(', ')
}
