import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'svc_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30 // 178 bits
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32

/**
 * A new secret: the prefix, 30 random letters or digits, and their checksum in 6, so that scanners for leaked secrets, and
 * we, know one without asking a database (GitHub's token format, github.blog 2021-04-05).
 */
export function generateSecret(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** Whether a text may have come from `generateSecret` with this prefix. */
export function isGenerated(text: string, prefix: string): boolean {
  const [, random, sum] = /^([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text.slice(prefix.length)) ?? []
  return text.startsWith(prefix) && random !== undefined && checksum(random) === sum
}

/** A new API key: a secret that begins with `svc_`. */
export const generateApiKey = (): string => generateSecret(PREFIX)

/**
 * Whether a key may exist at all: false only for what no one can have been given, so that garbage costs no query. Keys
 * chosen by an operator have no checksum; they are told by their length, and one of the same length by `chosen`.
 */
export function isPlausibleKey(key: string, chosen?: string): boolean {
  if (key === chosen) return true
  const hasChecksum = /^svc_[0-9A-Za-z]{36}$/.test(key)
  return hasChecksum ? isGenerated(key, PREFIX) : isChosenKey(key)
}

/** Whether a key chosen by an operator has a form we take: `svc_` and 8 to 196 safe characters. */
export const isChosenKey = (key: string): boolean => /^svc_[\w-]{8,196}$/.test(key)

/** SHA-256 in hex: what is stored of a key or session. Their randomness makes a slow hash needless. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The ends of a key by which its owner knows it again. */
export function keyHints(key: string): { key_hint_prefix: string; key_hint_suffix: string } {
  return { key_hint_prefix: key.slice(0, PREFIX.length + 4), key_hint_suffix: key.slice(-4) }
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % BASE62.length) + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
