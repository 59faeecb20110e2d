/** Something that must not be, with what it was seen by. */
export type Violation = { check: string; message: string }

/** Notes a violation unless the condition holds. */
export type Expect = (check: string, holds: boolean, message: string) => void

/** Describes the difference of two lists that should be equal; empty when they are. */
export function difference(actual: Iterable<string>, expected: Iterable<string>): string {
  const [have, want] = [new Set(actual), new Set(expected)]
  const parts = [
    ['missing', [...want].filter((one) => !have.has(one))],
    ['too many', [...have].filter((one) => !want.has(one))],
  ] as const
  return parts.flatMap(([what, some]) => (some.length > 0 ? `${some.length} ${what} (${some.slice(0, 3)})` : [])).join()
}
