import { parsedJson } from '@placefleet/shared/text'
import { getAt } from './values.ts'

// Some proxies and pages break it over lines.
const GUARD = /^\s*\)\s*\]\s*\}\s*'/
const WRAPPER_TAIL = '/*""*/'

/**
 * Parses the JSON of an answer. Cuts off white space and the guard `)]}'`, which keeps browsers from running the answer
 * as a script, and unwraps the form of URLs with `tch=1`. Undefined for text that is not JSON.
 */
export function parseBody(text: string): unknown {
  const body = withoutGuard(text)
  const value = parsedJson(body.endsWith(WRAPPER_TAIL) ? body.slice(0, -WRAPPER_TAIL.length) : body)
  return isWrapped(value) ? parsedJson(withoutGuard(value.d)) : value
}

/** Returns whether a body begins with the guard. Every payload of the site does. */
export const isGuarded = (text: string): boolean => GUARD.test(text)

/** Parses an answer that is a list, as all data of the site is. Undefined for anything else. */
export function parseList(text: string): readonly unknown[] | undefined {
  const value = parseBody(text)
  return Array.isArray(value) ? value : undefined
}

/**
 * Parses the message of one procedure in a batchexecute answer. The answer consists of chunks: a line with the length,
 * then a JSON list. In it `["wrb.fr", <procedure>, "<message as JSON>"]` is the answer of a procedure. Undefined
 * without one.
 */
export function batchMessage(text: string, procedure: string): unknown {
  if (!text.includes(procedure)) return undefined
  // JSON escapes line breaks, so each chunk is one line, and the declared lengths are not needed.
  for (const line of text.split('\n')) {
    const chunk = line.startsWith('[') ? parsedJson(line) : undefined
    const answers: readonly unknown[] = Array.isArray(chunk) ? chunk : []
    const answer = answers.find((entry) => getAt(entry, 0) === 'wrb.fr' && getAt(entry, 1) === procedure)
    const message = getAt(answer, 2)
    if (typeof message === 'string') return parsedJson(message)
  }
  return undefined
}

function withoutGuard(text: string): string {
  return text.replace(GUARD, '').trim()
}

function isWrapped(value: unknown): value is { d: string } {
  return typeof value === 'object' && value !== null && 'd' in value && typeof value.d === 'string'
}
