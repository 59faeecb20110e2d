import { createHmac, timingSafeEqual } from 'node:crypto'

/** The oldest delivery that is accepted, in seconds. */
const TOLERANCE_SECONDS = 300

export type Delivery = {
  body: Buffer
  header(name: string): string
  secret: string
  now: Date
}

/** Returns whether a delivery is signed by the service (Standard Webhooks), and not old. Without a secret none is. */
export function isGenuine({ body, header, secret, now }: Delivery): boolean {
  const timestamp = header('webhook-timestamp')
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_SECONDS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) return false // a valid key of HMAC, which everybody has
  const signed = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${timestamp}.`)
    .update(body)
    .digest()
  return header('webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((given) => given.length === signed.length && timingSafeEqual(given, signed))
}
