import { decodeBase64 } from './email-codes.ts'

const JOINED_LITERALS = /["'`]\s{0,20}\+\s{0,20}["'`]/g
// Joomla builds an address over several statements: var a = 'in'; a = a + 'fo&#64;'
const JOINED_STATEMENTS = /["']\s{0,20};\s{0,20}[\w$]{1,60}\s{0,20}(?:=\s{0,20}[\w$]{1,60}\s{0,20}\+|\+=)\s{0,20}["']/g
const CHARACTER_ESCAPE = /\\u\{?([0-9a-f]{4})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,5});|%([0-9a-f]{2})/gi
const DECIMAL_ESCAPE = /&#(\d{1,6});/g
const CHARACTER_CODES = /fromCharCode\(([\d,\s]{5,2000})\)/g
const BASE64_CALL = /atob\(\s{0,5}["'`]([a-z0-9+/=]{8,600})["'`]/gi
const NAMED_ADDRESS =
  /(?:mailto:|["'](?:e-?mail|email_?address|contact_?email)["']?\s{0,5}:\s{0,5}["'])([^"'?\s<>\\]{3,320})/gi

/** The text of a script with string parts joined and escapes decoded, as far as can be told without running it. */
export function readableScript(script: string): string {
  const unescaped = script
    .replace(CHARACTER_ESCAPE, (_, u?: string, x?: string, entity?: string, percent?: string) =>
      character(Number.parseInt(u ?? x ?? entity ?? percent ?? '', 16)),
    )
    .replace(DECIMAL_ESCAPE, (_, code: string) => character(Number(code)))
  const codes = [...script.matchAll(CHARACTER_CODES)].map((match) => fromCodes(match[1] ?? ''))
  const encoded = [...script.matchAll(BASE64_CALL)].map((match) => decodeBase64(match[1] ?? '') ?? '')
  const joined = unescaped.replace(JOINED_STATEMENTS, '').replace(JOINED_LITERALS, '')
  return [joined, ...codes, ...encoded].join('\n')
}

/** The values a script calls an e-mail address: `mailto:…`, `"email":"…"`. Takes the text of `readableScript`. */
export function namedAddresses(script: string): string[] {
  return [...script.matchAll(NAMED_ADDRESS)].map((match) => match[1] ?? '')
}

function fromCodes(list: string): string {
  return list
    .split(',')
    .map((code) => character(Number(code)))
    .join('')
}

// A quote would end the string it stands in for those who read on, and is in no address.
function character(code: number): string {
  return code >= 0x20 && code <= 0x10ffff && code !== 0x22 && code !== 0x27 ? String.fromCodePoint(code) : ' '
}
