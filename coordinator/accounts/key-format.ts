import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'svc_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30 // 178 bits
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32

/**
 * Generates a secret: the prefix, 30 random letters or digits, and a 6-character checksum. Scanners for leaked secrets
 * and our own check recognize it without a database query (GitHub's token format, github.blog 2021-04-05).
 */
export function generateSecret(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return `${prefix}${random}${checksum(random)}`
}

/** Returns whether `generateSecret` may have produced this text with this prefix. */
export function isGenerated(text: string, prefix: string): boolean {
  const [, random, sum] = /^([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text.slice(prefix.length)) ?? []
  return text.startsWith(prefix) && random !== undefined && checksum(random) === sum
}

/** Generates an API key: a secret that begins with `svc_`. */
export const generateApiKey = (): string => generateSecret(PREFIX)

/**
 * Returns whether a key can exist. It is false only for texts that were never issued, so garbage costs no query. A
 * chosen key has no checksum; one with the length of a generated key is accepted only when it equals `chosen`.
 */
export function isPlausibleKey(key: string, chosen?: string): boolean {
  if (key === chosen) return true
  const hasChecksum = /^svc_[0-9A-Za-z]{36}$/.test(key)
  return hasChecksum ? isGenerated(key, PREFIX) : isChosenKey(key)
}

/** Returns whether a chosen key is well-formed: `svc_` and 8 to 196 safe characters. */
export const isChosenKey = (key: string): boolean => /^svc_[\w-]{8,196}$/.test(key)

/** SHA-256 in hex, stored in place of a key or session secret. These are random, so a slow hash is not needed. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Returns the ends of a key, by which its owner recognizes it. */
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
