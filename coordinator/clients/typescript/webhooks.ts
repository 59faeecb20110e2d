/** What a webhook is told of the end of a job. */
export type WebhookEvent = {
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled'
  job_id: string
  job_name: string
  status: 'completed' | 'failed' | 'cancelled'
  result_count: number
  created_at: string
  ended_at: string
}

export type Delivery = {
  /** The body as it came, byte for byte: not parsed and written again. */
  body: string
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** `whsec_…`, from the creation of the webhook. */
  secret: string
  /** How old a delivery may be, in seconds. Default 300. */
  toleranceSeconds?: number
  /** The time, for tests. */
  now?: Date
}

/** A delivery that was not signed with this secret, or not lately. Answer it with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const PREFIX = 'whsec_'

/**
 * Checks the signature of a delivery (Standard Webhooks) and returns its event. Works in Node and in browsers. Deliveries
 * may come twice: remember their `webhook-id`.
 * @throws WebhookVerificationError when the delivery is not from this service, or too old.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = 300, now = new Date() } = delivery
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(`The delivery is over ${toleranceSeconds} seconds old. Check the clock.`)
  }
  const key = await keyOf(secret)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const checks = signatures.split(' ').map((signature) => isSigned(key, signature, signed))
  if ((await Promise.all(checks)).includes(true)) return JSON.parse(body)
  throw new WebhookVerificationError('The signature does not fit. Check the secret, and pass the body as it came.')
}

async function isSigned(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const base64 = /^v1,([A-Za-z0-9+/]+=*)$/.exec(signature)?.[1]
  const bytes = base64 === undefined ? undefined : bytesOf(base64)
  return bytes !== undefined && crypto.subtle.verify('HMAC', key, bytes, signed) // compares in constant time
}

type Key = Awaited<ReturnType<typeof keyOf>>

function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined
  if (!bytes) throw new WebhookVerificationError(`The secret must be the whole text that begins with ${PREFIX}.`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined // not base64
  }
}

function headerOf(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value === 'string') return value
  throw new WebhookVerificationError(`The header ${name} is missing.`)
}
