import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Keeps secrets that must be read again (proxies, signing secrets) encrypted at rest. */
export type SecretBox = {
  /** The text, encrypted under the key: `<key id>.<base64 of iv, tag and ciphertext>`. */
  seal(text: string): string
  /**
   * The text that was sealed.
   * @throws Error when it was sealed under another key, or changed since.
   */
  open(sealed: string): string
}

/** A box under a key of 32 bytes. The key's id is kept with what it sealed, so that a key can be replaced. */
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
