import { useState } from 'react'

/** The fields that the user changed: their values, and what these fields had before. */
export type Edits<Draft> = { values: Partial<Draft>; before: Partial<Draft> }

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const fieldsOf = <Draft extends object>(draft: Draft) => Object.keys(draft) as (keyof Draft)[]

/** Returns the latest settings with the edits of the user. */
export const withEdits = <Draft extends object>(latest: Draft, { values }: Edits<Draft>): Draft => ({
  ...latest,
  ...values,
})

/** Returns the edits that turn the latest settings into `next`. A field that was edited already keeps its `before`. */
export function editsOf<Draft extends object>(latest: Draft, edits: Edits<Draft>, next: Draft): Edits<Draft> {
  const values: Partial<Draft> = {}
  const before: Partial<Draft> = {}
  for (const field of fieldsOf(latest)) {
    const was = field in edits.before ? edits.before[field] : latest[field]
    if (isSame(next[field], was)) continue
    values[field] = next[field]
    before[field] = was
  }
  return { values, before }
}

/** Returns the fields that the user changed, and meanwhile somebody else, too, to another value. */
export const conflictsOf = <Draft extends object>(latest: Draft, { values, before }: Edits<Draft>): (keyof Draft)[] =>
  fieldsOf(latest).filter(
    (field) => field in values && !isSame(latest[field], before[field]) && !isSame(latest[field], values[field]),
  )

/**
 * A draft of settings that others may change at the same time. Fields that the user did not touch follow the latest
 * settings, so saving never brings back an old value.
 */
export function useDraft<Draft extends object>(latest: Draft) {
  const [edits, setEdits] = useState<Edits<Draft>>({ values: {}, before: {} })
  return {
    draft: withEdits(latest, edits),
    change: (next: Draft) => setEdits((made) => editsOf(latest, made, next)),
    isTouched: Object.keys(edits.values).length > 0,
    /** The fields that somebody else changed meanwhile. Saving replaces their values. */
    conflicts: conflictsOf(latest, edits),
    /** Drops the edits of the user, e.g. after they were saved. */
    reset: () => setEdits({ values: {}, before: {} }),
  }
}
