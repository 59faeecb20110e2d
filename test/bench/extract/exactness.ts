/** Counts of right findings, wrong ones (found, but absent), and missed ones (present, but not found). */
export type Counts = { readonly right: number; readonly wrong: number; readonly missed: number }

export const NOTHING: Counts = { right: 0, wrong: 0, missed: 0 }

/** Returns the sum of two counts. */
export const plus = (a: Counts, b: Counts): Counts => ({
  right: a.right + b.right,
  wrong: a.wrong + b.wrong,
  missed: a.missed + b.missed,
})

/** Returns precision and recall; 1 if there is nothing to judge. */
export function exactness({ right, wrong, missed }: Counts): { precision: number; recall: number } {
  const share = (whole: number) => (whole === 0 ? 1 : right / whole)
  return { precision: share(right + wrong), recall: share(right + missed) }
}
