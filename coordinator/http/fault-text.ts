import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** The name of a type as a fault says it. Others have the name that zod gives them. */
const TYPES: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** What a string must be, by the format of its schema. Other formats have a text of their own at their schema. */
const FORMATS: Partial<Record<string, string>> = {
  datetime: 'a time in ISO 8601, for example "2026-03-02T06:00:00Z"',
  date: 'a date, for example "2026-03-02"',
  email: 'an email address, for example "you@example.com"',
  url: 'a URL, for example "https://example.com/"',
  uuid: 'a UUID',
}

/**
 * Returns what is wrong with a value, as the rest of a sentence that begins with the name of its field. Schemas give it
 * to zod as `error`; a text that a schema has for itself comes before it.
 */
export function faultText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue)
    case 'too_small':
      return outOfLimits(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return outOfLimits(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return 'has none of the forms that are allowed here'
    default:
      return 'is not allowed here'
  }
}

function wrongType({ expected, format, input }: Extract<Issue, { code: 'invalid_type' }> & { format?: unknown }) {
  const isWhole = expected === 'int' || format === 'safeint'
  const name = isWhole ? 'a whole number' : (TYPES[expected] ?? `a ${expected}`)
  const example = inOtherType(expected, input)
  return `must be ${name}${example === undefined ? '' : `, for example ${example}`}`
}

/** Returns a number as the string that was expected, and a string of digits as the number. */
function inOtherType(expected: string, input: unknown): string | undefined {
  if (expected === 'string' && typeof input === 'number') return JSON.stringify(String(input))
  const isNumeric = typeof input === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(input)
  return ['number', 'int'].includes(expected) && isNumeric ? String(Number(input)) : undefined
}

const UNITS: Partial<Record<string, string>> = { string: 'character', array: 'item', set: 'item' }

function outOfLimits({ origin, exact }: { origin: string; exact?: boolean }, how: string, limit: number | bigint) {
  const bound = `${exact ? 'exactly' : how} ${limit}`
  const unit = UNITS[origin]
  return unit === undefined ? `must be ${bound}` : `must have ${bound} ${unit}${Number(limit) === 1 ? '' : 's'}`
}
