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

/** A mutation and the name of its list. */
export type Listed = Mutation & { list: string }

/** `killedBy` names the test that failed. It is absent if none did: the mutation survived, or its tests could not run. */
export type Result = Listed & { killedBy?: string | undefined; seconds: number }

/** The change itself, which tells mutations apart. */
type Change = Pick<Mutation, 'file' | 'original' | 'replacement'>

/** Returns whether both change the same line in the same way. */
export const isSame = (one: Change, other: Change): boolean =>
  one.file === other.file && one.original === other.original && one.replacement === other.replacement

/** Mutations of one file with the same tests, as rows of promise, original and replacement. */
export const mutationsOf = (
  file: string,
  tests: string[],
  rows: readonly (readonly [promise: string, original: string, replacement: string])[],
): Mutation[] => rows.map(([promise, original, replacement]) => ({ file, tests, promise, original, replacement }))
