/** One wrong line that a test must notice. */
export type Mutation = {
  /** The file of the product, from the root. */
  file: string
  /** Text that occurs exactly once in the file. */
  original: string
  replacement: string
  /** The nearest test files or folders, from the root. */
  tests: string[]
  /** The promise that the mutation breaks. */
  promise: string
}

/** Mutations of one file with the same tests, as rows of promise, original and replacement. */
export const mutationsOf = (
  file: string,
  tests: string[],
  rows: readonly (readonly [promise: string, original: string, replacement: string])[],
): Mutation[] => rows.map(([promise, original, replacement]) => ({ file, tests, promise, original, replacement }))
