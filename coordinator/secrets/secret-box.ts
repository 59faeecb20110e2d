import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { AppError } from '../http/errors.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets at rest that must be read again: proxies, signing secrets and ID tokens. */
export type SecretBox = {
  /** The id of the key. It does not reveal the key. Undefined without a key. */
  keyId: string | undefined
  /** Encrypts a text: `<key id>.<base64 of iv, tag and ciphertext>`. */
  seal(text: string): string
  /**
   * Decrypts a sealed text.
   * @throws Error when it was sealed with another key, or was changed.
   */
  open(sealed: string): string
  /** Returns the HMAC of a text in base64url. Each purpose has its own key, derived by HKDF (RFC 5869). */
  signature(purpose: string, text: string): string
}

/**
 * Decodes a SECRETS_KEY.
 * @throws Error when it is not 32 bytes in base64.
 */
export function decodeSecretsKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length === KEY_BYTES) return key
  throw new Error('SECRETS_KEY must be 32 bytes in base64, e.g. from: openssl rand -base64 32')
}

/** Creates a box for a key of 32 bytes. Sealed texts carry the id of their key, so a key can be rotated. */
export function createSecretBox(key: Buffer): SecretBox {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    keyId,
    seal(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    open(sealed) {
      const [id, body = ''] = sealed.split('.')
      if (id !== keyId) throw new Error(`sealed with the key ${id}, but SECRETS_KEY is the key ${keyId}`)
      const bytes = Buffer.from(body, 'base64')
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    signature(purpose, text) {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES))
      return createHmac('sha256', derived).update(text).digest('base64url')
    },
  }
}

const notConfigured = (): never => {
  const message =
    'SECRETS_KEY is not set, so webhooks, proxies and download links do not work. Ask the operator to set it.'
  throw new AppError('unavailable', message, { headers: { 'retry-after': '60' } })
}

/** The box of a deployment without SECRETS_KEY: everything works except secrets. */
export const secretsNotConfigured: SecretBox = {
  keyId: undefined,
  seal: notConfigured,
  open: notConfigured,
  signature: notConfigured,
}

/** Compares a text that was sent with a secret one, in a time that does not depend on where they differ. */
export function isSameSecret(sent: string, secret: string): boolean {
  const [bytes, expected] = [Buffer.from(sent), Buffer.from(secret)]
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
