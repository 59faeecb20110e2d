import { textAt } from './index-path.ts'

// The bounds of the Place schema. A longer text is cut: a long name is no reason to lose a place.
const LINE = 2_000
const PARAGRAPH = 20_000

/** One line of text of at most 2000 UTF-16 units, well-formed and trimmed; undefined when nothing is left. */
export const fitLine = (text: string | undefined): string | undefined => fit(text, LINE)

/** The same for long texts: at most 20000 units, line breaks kept. */
export const fitParagraph = (text: string | undefined): string | undefined => fit(text, PARAGRAPH)

/** `textAt` cut to a line. */
export const lineAt = (node: unknown, ...path: readonly number[]): string | undefined => fitLine(textAt(node, ...path))

/** `textAt` cut to a paragraph. */
export const paragraphAt = (node: unknown, ...path: readonly number[]): string | undefined =>
  fitParagraph(textAt(node, ...path))

function fit(text: string | undefined, max: number): string | undefined {
  if (text === undefined) return undefined
  // toWellFormed after the cut, which may have halved a surrogate pair; a NUL is refused by some of our readers.
  const fitted = text.trim().slice(0, max).toWellFormed().replaceAll('\0', '').trim()
  return fitted === '' ? undefined : fitted
}

/** A copy without the members that are undefined: an absent field is never sent as a key without a value. */
export function omitUndefined<Fields extends object>(fields: Fields): Fields {
  const kept = { ...fields }
  for (const [name, value] of Object.entries(kept)) {
    if (value === undefined) Reflect.deleteProperty(kept, name)
  }
  return kept
}

/** At most `max` members; undefined instead of an empty list. */
export function filled<Member>(members: readonly Member[], max: number): Member[] | undefined {
  return members.length > 0 ? members.slice(0, max) : undefined
}

/** The object, or undefined when no member of it is defined. */
export function filledFields<Fields extends object>(fields: Fields): Fields | undefined {
  const kept = omitUndefined(fields)
  return Object.keys(kept).length > 0 ? kept : undefined
}
