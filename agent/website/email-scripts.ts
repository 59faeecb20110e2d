import { decodeBase64 } from './email-codes.ts'
import { character, decodeEscapes } from './plain-text.ts'
import { withConstants } from './script-constants.ts'

const JOINED_LITERALS = /["'`]\s{0,20}\+\s{0,20}["'`]/g
// Joomla builds an address over several statements: var a = 'in'; a = a + 'fo&#64;'
const JOINED_STATEMENTS = /["']\s{0,20};\s{0,20}[\w$]{1,60}\s{0,20}(?:=\s{0,20}[\w$]{1,60}\s{0,20}\+|\+=)\s{0,20}["']/g
// JSON within a string of a script, as frameworks send their data.
const QUOTE_ESCAPE = /\\{1,9}(?=["'`])/g
const PERCENT_ESCAPE = /%([0-9a-f]{2})/gi
const CHARACTER_CODES = /fromCharCode\(([\da-fx,\s]{5,2000})\)/gi
const BASE64_CALL = /atob\(\s{0,5}["'`]([a-z0-9+/=]{8,600})["'`]/gi
const NAMED_ADDRESS =
  /(?:mailto:|["'](?:e-?mail|email_?address|contact_?email)["']?\s{0,5}:\s{0,5}["'])([^"'?\s<>\\]{3,320})/gi

/** The text of a script with string parts joined and escapes decoded, as far as can be told without running it. */
export function readableScript(script: string): string {
  const unescaped = decodeEscapes(script)
    .replace(QUOTE_ESCAPE, '')
    .replace(PERCENT_ESCAPE, (_, code: string) => character(Number.parseInt(code, 16)))
  const codes = [...script.matchAll(CHARACTER_CODES)].map((match) => fromCodes(match[1] ?? ''))
  const encoded = [...script.matchAll(BASE64_CALL)].map((match) => decodeBase64(match[1] ?? '') ?? '')
  const joined = withConstants(unescaped).replace(JOINED_STATEMENTS, '').replace(JOINED_LITERALS, '')
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
