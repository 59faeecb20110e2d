import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets at rest that must be read again: proxies and signing secrets. */
export type SecretBox = {
  /** Encrypts a text: `<key id>.<base64 of iv, tag and ciphertext>`. */
  seal(text: string): string
  /**
   * Decrypts a sealed text.
   * @throws Error when it was sealed with another key, or was changed.
   */
  open(sealed: string): string
}

/** Creates a box for a key of 32 bytes. Sealed texts carry the id of their key, so a key can be rotated. */
export function createSecretBox(key: Buffer): SecretBox {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    open(sealed) {
      const [id, body = ''] = sealed.split('.')
      if (id !== keyId) throw new Error(`sealed under the key ${id}, but SECRETS_KEY is the key ${keyId}`)
      const bytes = Buffer.from(body, 'base64')
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
