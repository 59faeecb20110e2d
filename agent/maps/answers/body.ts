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

/** Every payload of the site begins with the guard. */
export const isGuarded = (text: string): boolean => GUARD.test(text)

/** Parses an answer that is a list, as all data of the site is. */
export function parseList(text: string): readonly unknown[] | undefined {
  const value = parseBody(text)
  return Array.isArray(value) ? value : undefined
}

/** Parses the message of a procedure in a batchexecute answer: of the chunk `["wrb.fr", <procedure>, "<message>"]`. */
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

const withoutGuard = (text: string): string => text.replace(GUARD, '').trim()

const isWrapped = (value: unknown): value is { d: string } =>
  typeof value === 'object' && value !== null && 'd' in value && typeof value.d === 'string'

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi
const LAST_CODE_POINT = 0x10ffff

/** Returns a text of HTML with characters instead of entities. */
export function withoutEntities(html: string): string {
  return html.replace(ENTITY, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity
  })
}
