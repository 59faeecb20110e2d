import type { Draft } from './draft.ts'

/** What a group of fields shows and changes. */
export type FieldsProps = {
  draft: Draft
  change(changes: Partial<Draft>): void
  /** What the API said of a field, if it refused it. */
  errorOf(field: string): string | undefined
}

/** The number a field holds; while it is empty or half typed, what it was before. */
export const numberOr = (value: string | number, before: number): number => (typeof value === 'number' ? value : before)
