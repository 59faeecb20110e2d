// A line break in a quoted text is written with a letter, which is no part of the word behind it.
const SPACE_ESCAPE = /\\[bfnrtv]/g
const CODE_ESCAPE = /\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,5});/gi
const DECIMAL_ESCAPE = /&#(\d{1,6});/g
// "\u003c" and "\u003e" in pages that lost the backslash on the way.
const LOST_ESCAPE = /u003[ce]/gi

/**
 * Decodes what stands for a character in quoted text, as in scripts and in JSON within attributes: `\u0040`, `\x40`,
 * `&#64;`, and white space such as `\n`, which becomes a space. So do quotes and control characters.
 */
export function decodeEscapes(text: string): string {
  return text
    .replace(SPACE_ESCAPE, ' ')
    .replace(CODE_ESCAPE, (_, u?: string, braced?: string, x?: string, entity?: string) =>
      character(Number.parseInt(u ?? braced ?? x ?? entity ?? '', 16)),
    )
    .replace(DECIMAL_ESCAPE, (_, code: string) => character(Number(code)))
    .replace(LOST_ESCAPE, ' ')
}

/** The character of a code. A quote would end the string it stands in for those who read on, and is in no address. */
export function character(code: number): string {
  return code >= 0x20 && code <= 0x10ffff && code !== 0x22 && code !== 0x27 ? String.fromCodePoint(code) : ' '
}

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/** A text without characters that show nothing, in the plain form of each (full-width, ligatures). It can get longer. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC')
}
