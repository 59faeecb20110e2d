import { timingSafeEqual } from 'node:crypto'

/** Compares a text that was sent with a secret one, in a time that does not depend on where they differ. */
export function isSameSecret(sent: string, secret: string): boolean {
  const [bytes, expected] = [Buffer.from(sent), Buffer.from(secret)]
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
