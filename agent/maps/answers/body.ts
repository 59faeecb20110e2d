import { getAt } from './values.ts'

const GUARD = ")]}'"
const WRAPPER_TAIL = '/*""*/'

/**
 * The JSON of an answer of the site. Cuts white space, the guard `)]}'` that keeps browsers from running it as a script,
 * and undoes the wrapped form that URLs with `tch=1` get. Undefined when it is no JSON.
 */
export function parseBody(text: string): unknown {
  const body = withoutGuard(text)
  const value = parseJson(body.endsWith(WRAPPER_TAIL) ? body.slice(0, -WRAPPER_TAIL.length) : body)
  return isWrapped(value) ? parseJson(withoutGuard(value.d)) : value
}

/** Whether a body begins with the guard, as every payload of the site does. */
export const isGuarded = (text: string): boolean => text.trimStart().startsWith(GUARD)

/** The list an answer holds, or undefined: everything the site sends is a list. */
export function parseList(text: string): readonly unknown[] | undefined {
  const value = parseBody(text)
  return Array.isArray(value) ? value : undefined
}

/**
 * The message of one procedure in a batchexecute answer: chunks, each a line with its length and a JSON list, in which
 * `["wrb.fr", <procedure>, "<message as JSON>"]` is the answer of a procedure. Undefined when there is none.
 */
export function batchMessage(text: string, procedure: string): unknown {
  if (!text.includes(procedure)) return undefined
  // Each chunk is one line, because JSON escapes line breaks: the declared lengths need not be counted.
  for (const line of text.split('\n')) {
    const chunk = line.startsWith('[') ? parseJson(line) : undefined
    const answers: readonly unknown[] = Array.isArray(chunk) ? chunk : []
    const answer = answers.find((entry) => getAt(entry, 0) === 'wrb.fr' && getAt(entry, 1) === procedure)
    const message = getAt(answer, 2)
    if (typeof message === 'string') return parseJson(message)
  }
  return undefined
}

/** The JSON value of a text, or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON is an answer here, not a fault
  }
}

function withoutGuard(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith(GUARD) ? trimmed.slice(GUARD.length) : trimmed
}

function isWrapped(value: unknown): value is { d: string } {
  return typeof value === 'object' && value !== null && 'd' in value && typeof value.d === 'string'
}
