import { isDeepStrictEqual } from 'node:util'
import { isGuarded, parseBody } from '../maps/answers/body.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { bodyOf, holds, readAnswer, readState, readValue } from './read-answer.ts'
import { watch } from './reads.ts'
import { reducePage } from './reduce-page.ts'

const GUARD = ")]}'\n"

/**
 * Reduces an answer to its structure and to what parsers read in it. Persons, whom `pseudonyms` must know, get other
 * names of the same shape, and every other text is masked. Undefined when the parsers would read something else in the
 * result.
 */
export function reduceAnswer(text: string, pseudonyms: Pseudonyms, now: number): string | undefined {
  const reduced = reduction(text, pseudonyms, now)
  const same = isDeepStrictEqual(readAnswer(reduced, now), withPseudonyms(readAnswer(text, now), pseudonyms))
  return same ? reduced : undefined
}

function reduction(text: string, pseudonyms: Pseudonyms, now: number): string {
  const reduceValue = (value: unknown): unknown => {
    const watched = watch(value)
    readValue(watched.view, holds(value, now), now)
    return watched.masked(pseudonyms.replace)
  }
  if (text.trimStart().startsWith('<')) {
    const reduceState = (state: unknown): unknown => {
      const watched = watch(state)
      readState(watched.view)
      return watched.masked((part) =>
        isGuarded(part) ? GUARD + JSON.stringify(reduceValue(parseBody(part))) : pseudonyms.replace(part),
      )
    }
    return reducePage(text, pseudonyms.replace, reduceState, now)
  }
  const { value, procedure } = bodyOf(text)
  const reduced = JSON.stringify(reduceValue(value))
  if (procedure !== undefined) return `${GUARD}\n1\n${JSON.stringify([['wrb.fr', procedure, reduced]])}\n`
  return (isGuarded(text) ? GUARD : '') + reduced
}

/** Returns a copy of a value with the persons in its texts replaced. */
function withPseudonyms(value: unknown, pseudonyms: Pseudonyms): unknown {
  if (typeof value === 'string') return pseudonyms.replace(value)
  if (Array.isArray(value)) return value.map((member) => withPseudonyms(member, pseudonyms))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPseudonyms(member, pseudonyms)]))
}
