import { distance } from 'fastest-levenshtein'
import { z } from 'zod'

/** Returns the number of characters, counted in code points: an emoji is one. */
export const characters = (text: string): number => [...text].length

/**
 * Replaces the decimal digits of some scripts by ASCII digits. `zeros` lists the code point of each script's zero; the
 * ten digits of a script follow one another in Unicode.
 */
export function asciiDigits(text: string, zeros: readonly number[]): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** Decodes percent escapes, and keeps those that are none: a stray % must not hide what stands beside it. */
export const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

/** Returns the value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the source of a regular expression that matches exactly this text. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Returns a pattern that matches a word in any letter case, for schemas, whose patterns have no flags. */
export const inAnyCase = (word: string): string =>
  word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/** What the API's description says of texts, in the syntax that regular expressions of all languages share. */
export const WITHOUT_NUL = '^[^\\x00]*$'
const NOT_BLANK = '^[^\\x00]*[^\\x00\\s][^\\x00]*$'

/**
 * Returns the schema of a string of `min` to `max` characters that is safe to store and show: no NUL, no lone
 * surrogate, and not only white space unless it may be empty.
 */
export function textSchema({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .check((context) => {
      const fault = textFault(context.value, min, max)
      if (fault !== undefined) context.issues.push({ code: 'custom', input: context.value, message: fault })
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, pattern: min > 0 ? NOT_BLANK : WITHOUT_NUL })
}

function textFault(text: string, min: number, max: number): string | undefined {
  const length = characters(text)
  if (length > max) return `has ${length} characters; at most ${max} are allowed`
  if (!text.isWellFormed()) return 'contains half a surrogate pair; send well-formed Unicode'
  if (text.includes('\0')) return 'contains a NUL character; remove it'
  if (min > 0 && text.trim() === '') return 'is empty; write something'
  if (length < min) return `has ${length} characters; at least ${min} are needed`
  return undefined
}

/** Everything of C0 and C1 but tabs and line feeds: it would move the cursor of a terminal, or rename its window. */
const CONTROLS = /[^\P{Cc}\t\n]/gu

/** A text of the map site or a website, without control characters. */
const plain = () => z.string().overwrite((text) => text.replace(CONTROLS, ''))

// A coordinator enforces these bounds on the places of an agent. They are far above the sizes on the map site, and low
// enough that the largest place stays well under the 4 MB of one gRPC message.
export const line = plain().min(1).max(2_000)
export const address = plain().min(1).max(8_192)
export const paragraph = plain().min(1).max(20_000)
export const timestamp = z.iso.datetime()

/** Returns the search form of a name: lower case, without accents, one space between words. */
export function searchedName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
}

/** A longer name is cut before the comparison, because it is not a typing error. */
const MAX_LENGTH = 100

/**
 * Returns the name that a writer most likely meant, or undefined when at least half of the letters differ from each
 * name. Case, `_` and `-` do not count.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const plain = plainName(written.slice(0, MAX_LENGTH))
  const ranked = names
    .map((name) => ({ name, edits: distance(plain, plainName(name)), length: plainName(name).length }))
    .filter(({ edits, length }) => edits <= Math.max(plain.length, length) * 0.5)
    .sort((a, b) => a.edits - b.edits)
  return ranked[0]?.name
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether ISO 3166 has this code, in lower case. `zz` is the code of no country. */
const isCountry = (code: string): boolean =>
  code !== 'zz' && currentCode(code) === code && names.of(code.toUpperCase()) !== undefined

/** Returns the code that is used today: `uk` is a second one of `gb`. */
const currentCode = (code: string): string => new Intl.Locale(`und-${code}`).region?.toLowerCase() ?? code

/** A country code as the map site takes it: ISO 3166, two lower-case letters. */
export const country = z
  .string()
  .regex(/^[a-z]{2}$/, { error: 'must be a country code of two lower-case letters, e.g. "cy"', abort: true })
  .refine(isCountry, {
    error: ({ input }) => {
      const meant = currentCode(String(input))
      return `is not a country code of ISO 3166${meant === input ? '' : `; did you mean "${meant}"?`}`
    },
  })
