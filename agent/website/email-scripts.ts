import { character, decodeBase64, decodeEscapes } from './email-codes.ts'

const JOINED_LITERALS = /["'`]\s{0,20}\+\s{0,20}["'`]/g
// Joomla builds an address in several statements: var a = 'in'; a = a + 'fo&#64;'
const JOINED_STATEMENTS = /["']\s{0,20};\s{0,20}[\w$]{1,60}\s{0,20}(?:=\s{0,20}[\w$]{1,60}\s{0,20}\+|\+=)\s{0,20}["']/g
// Frameworks send their data as JSON within a string of a script.
const QUOTE_ESCAPE = /\\{1,9}(?=["'`])/g
const PERCENT_ESCAPE = /%([0-9a-f]{2})/gi
// String.fromCharCode(64) for the sign alone, and unescape('%40').
const ONE_CODE = /String\.fromCharCode\(\s{0,5}(64|46)\s{0,5}\)/g
const UNESCAPED = /\b(?:unescape|decodeURI(?:Component)?)\(\s{0,5}(["'][^"']{1,300}["'])\s{0,5}\)/g
const CHARACTER_CODES = /fromCharCode\(([\da-fx,\s]{5,2000})\)/gi
const BASE64_CALL = /atob\(\s{0,5}["'`]([a-z0-9+/=]{8,600})["'`]/gi
// Joomla 3 names its variable `addy` and a number.
const NAMED_ADDRESS =
  /(?:mailto:|\baddy\w{0,40}\s{0,5}=\s{0,5}["']|["'](?:e-?mail|email_?address|contact_?email)["']?\s{0,5}:\s{0,5}["'])([^"'?\s<>\\]{3,320})/gi

/** Rewrites a script without running it: joins parts of strings and decodes escapes. */
export function readableScript(script: string): string {
  const unescaped = decodeEscapes(script.replace(ONE_CODE, (_, code: string) => `'${character(Number(code))}'`))
    .replace(UNESCAPED, '$1')
    .replace(QUOTE_ESCAPE, '')
    .replace(PERCENT_ESCAPE, (_, code: string) => character(Number.parseInt(code, 16)))
  const codes = [...script.matchAll(CHARACTER_CODES)].map((match) => fromCodes(match[1] ?? ''))
  const encoded = [...script.matchAll(BASE64_CALL)].map((match) => decodeBase64(match[1] ?? '') ?? '')
  const joined = withConstants(unescaped).replace(JOINED_STATEMENTS, '').replace(JOINED_LITERALS, '')
  return [joined, ...codes, ...encoded].join('\n')
}

/** What a readable script declares as an address: `mailto:…`, `"email":"…"`. */
export function namedAddresses(script: string): string[] {
  return [...script.matchAll(NAMED_ADDRESS)].map((match) => match[1] ?? '')
}

function fromCodes(list: string): string {
  return list
    .split(',')
    .map((code) => character(Number(code)))
    .join('')
}

// More replacements would let a hostile script grow without bound.
const MAX_REPLACED = 10_000

// A literal that continues (`'in' + …`, `'x'.replace(…)`) is only a part of the value.
const ASSIGNED =
  /(?<![\w$])([a-z_$][\w$]{0,59})\s{0,20}\+?=(?!=)\s{0,20}(?:(["'`])([^"'`\\]{1,100})\2(?!\s{0,40}[+.[(?]))?/gi
const IN_SUM = /(?<=\+\s{0,20})[a-z_$][\w$]{0,59}(?![\w$.[(])|(?<![\w$.])[a-z_$][\w$]{0,59}(?=\s{0,20}\+(?![+=]))/gi
const LITERAL = `["'][^"'\\\\]{0,100}["']`
const JOINED_LIST = new RegExp(
  `\\[\\s{0,20}(${LITERAL}(?:\\s{0,20},\\s{0,20}${LITERAL}){1,9})\\s{0,20}\\]\\s{0,20}\\.join\\(\\s{0,20}["']([^"'\\\\]{0,20})["']\\s{0,20}\\)`,
  'g',
)
const BETWEEN_LITERALS = /["']\s{0,20},\s{0,20}["']/g

/** Inserts names that are assigned once (`u + "@" + d`) and joined lists (`["info", "shop.de"].join("@")`). */
function withConstants(script: string): string {
  const constants = constantsIn(script)
  let room = MAX_REPLACED
  const sums = script.replace(IN_SUM, (name) => {
    const value = room > 0 ? constants.get(name) : undefined
    if (value === undefined) return name
    room -= 1
    return `"${value}"`
  })
  return sums.replace(
    JOINED_LIST,
    (_, list: string, glue: string) => `"${list.slice(1, -1).split(BETWEEN_LITERALS).join(glue)}"`,
  )
}

function constantsIn(script: string): ReadonlyMap<string, string | undefined> {
  const constants = new Map<string, string | undefined>()
  for (const [, name = '', , value] of script.matchAll(ASSIGNED)) {
    constants.set(name, constants.has(name) ? undefined : value)
  }
  return constants
}
