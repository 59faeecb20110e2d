/** Cloudflare’s e-mail protection: hex bytes, each XORed with the first. Undefined for other text. */
export function decodeCloudflare(code: string): string | undefined {
  if (!/^(?:[0-9a-f]{2}){5,330}$/i.test(code)) return undefined
  const [key = 0, ...bytes] = Buffer.from(code, 'hex')
  return Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8')
}

/** Rotates Latin letters by 13; its own inverse. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

/** Reverses a text, as a style with `unicode-bidi: bidi-override` shows it. */
export function reversed(text: string): string {
  return [...text].reverse().join('')
}

// The three rings of characters in which TYPO3 rotates a protected mailto link (linkTo_UnCryptMailto).
const TYPO3_RINGS = [
  [0x2b, 0x3a],
  [0x40, 0x5a],
  [0x61, 0x7a],
] as const

/** A mailto link that TYPO3 has rotated by up to 25: its first letter, which was `m`, says by how much. */
export function decodeTypo3(code: string): string | undefined {
  if (!/^[a-z]{6}[+-:]./.test(code)) return undefined
  const start = code.slice(0, 'mailto:'.length)
  const back = 'm'.charCodeAt(0) - code.charCodeAt(0)
  const offset = [back, back + 26, back - 26].find((candidate) => rotateRings(start, candidate) === 'mailto:')
  return offset === undefined ? undefined : rotateRings(code, offset)
}

function rotateRings(text: string, offset: number): string {
  return [...text].map((letter) => rotateInRing(letter, offset)).join('')
}

function rotateInRing(letter: string, offset: number): string {
  const code = letter.charCodeAt(0)
  const ring = TYPO3_RINGS.find(([first, last]) => code >= first && code <= last)
  if (!ring) return letter
  const size = ring[1] - ring[0] + 1
  return String.fromCharCode(ring[0] + ((((code - ring[0] + offset) % size) + size) % size))
}

/** Decodes Base64 of readable ASCII. Undefined for other text. */
export function decodeBase64(text: string): string | undefined {
  if (!/^[a-z0-9+/]{4,600}={0,2}$/i.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : undefined
}

/** Decodes readable ASCII in hex. Undefined for other text. */
export function decodeHex(text: string): string | undefined {
  return /^(?:[2-7][0-9a-f]){8,300}$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : undefined
}

/** Decodes a list of the codes of ASCII characters (`105,110,102,111`). Undefined for other text. */
export function decodeCodes(text: string): string | undefined {
  if (!/^\d{2,3}(?:[ ,;:|-]{1,2}\d{2,3}){7,300}$/.test(text)) return undefined
  return text
    .split(/\D+/)
    .map((code) => character(Number(code)))
    .join('')
}

/**
 * Decodes what WordPress's Email Encoder writes into its scripts: a list of characters, and which of them follow each
 * other, each as the character with the code 48 above its place (`ml="…",mi="…"`). The result has percent escapes.
 */
export function decodePlaces(script: string): string[] {
  const pairs = script.matchAll(/\bml\s{0,5}=\s{0,5}"([^"\\]{1,200})"\s{0,5},\s{0,5}mi\s{0,5}=\s{0,5}"([^"]{1,3000})"/g)
  return [...pairs].map(([, letters = '', places = '']) =>
    decodePercent([...places.replaceAll('\\', '')].map((place) => letters.charAt(place.charCodeAt(0) - 48)).join('')),
  )
}

/**
 * Decodes the links of WordPress's CryptX (`DeCryptX('…')`): each character is one too high, or as much as the digit
 * before it says. Returns both readings.
 */
export function decodeCryptX(link: string): string[] {
  const code = /DeCryptX\(\s{0,5}(?:%27|['"])([^'")]{6,700})/i.exec(link)?.[1]
  if (code === undefined) return []
  const lower = (text: string, by: number) => String.fromCharCode(Math.max(0x20, text.charCodeAt(0) - by))
  const pairs = /^(?:\d.){3,350}$/.test(code) ? [...code.matchAll(/(\d)(.)/g)] : []
  return [
    [...code].map((letter) => lower(letter, 1)).join(''),
    pairs.map(([, by = '0', letter = '']) => lower(letter, Number(by))).join(''),
  ]
}

/** Decodes percent escapes. Keeps invalid ones unchanged. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const decoded = Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8')
    return decoded.includes('\ufffd') ? escapes : decoded
  })
}

// `\n` in a quoted text: the letter does not belong to the next word.
const SPACE_ESCAPE = /\\[bfnrtv]/g
const CODE_ESCAPE = /\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,5});/gi
const DECIMAL_ESCAPE = /&#(\d{1,6});/g
// "\u003c" and "\u003e" in pages that have lost the backslash.
const LOST_ESCAPE = /u003[ce]/gi

/**
 * Decodes the escapes of quoted text, as in scripts and in JSON within attributes: `\u0040`, `\x40`, `&#64;`. White
 * space such as `\n`, quotes and control characters become a space.
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

/** Returns the character of a code. A quote becomes a space, because it would end the string around it. */
export function character(code: number): string {
  return code >= 0x20 && code <= 0x10ffff && code !== 0x22 && code !== 0x27 ? String.fromCodePoint(code) : ' '
}

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/** Removes invisible characters and replaces full-width letters and ligatures (NFKC). The text can get longer. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC')
}
