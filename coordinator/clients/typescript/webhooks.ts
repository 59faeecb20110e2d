import type { components } from './schema.d.ts'

/** The body of a delivery. `event_type` says which event it is. */
export type WebhookEvent = components['schemas']['WebhookEvent']

export type Delivery = {
  /** The body exactly as received, byte for byte: not parsed and serialized again. */
  body: string | Uint8Array | ArrayBuffer
  /** The headers: those of Node or of `fetch`, or any object with names in any letter case. */
  headers:
    | Headers
    | Iterable<readonly [string, string]>
    | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret from the creation of the webhook, `whsec_…`. */
  secret: string
  /** The maximum age of a delivery, in seconds. Default 300. */
  toleranceSeconds?: number | undefined
  /** The current time, for tests. */
  now?: Date | undefined
}

/** Thrown for a delivery with a wrong or old signature. Respond with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const PREFIX = 'whsec_'

/**
 * Checks the signature of a delivery (Standard Webhooks) and returns its event. Works in Node and in browsers. You may
 * receive a delivery twice: remember its `webhook-id`.
 * @throws WebhookVerificationError when the signature is wrong or too old.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, secret, toleranceSeconds = 300, now = new Date() } = delivery
  const lowered = lowerCased(headers)
  const id = headerOf(lowered, 'webhook-id')
  const timestamp = headerOf(lowered, 'webhook-timestamp')
  const signatures = headerOf(lowered, 'webhook-signature')
  checkAge(timestamp, now, toleranceSeconds)
  const body = bytesOf(delivery.body)
  const key = await keyOf(secret)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const checks = signatures.split(' ').map((signature) => isSigned(key, signature, signed))
  if ((await Promise.all(checks)).includes(true)) return JSON.parse(new TextDecoder().decode(body))
  throw new WebhookVerificationError('The signature does not match. Check the secret, and pass the raw body.')
}

function checkAge(timestamp: string, now: Date, toleranceSeconds: number): void {
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a time.')
  const age = now.getTime() / 1_000 - Number(timestamp)
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError(`The delivery is over ${toleranceSeconds} seconds old. Check your clock.`)
  }
  if (age < -toleranceSeconds) {
    throw new WebhookVerificationError(
      `The delivery is over ${toleranceSeconds} seconds in the future. Check your clock.`,
    )
  }
}

async function isSigned(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const base64 = /^v1,([A-Za-z0-9+/]+=*)$/.exec(signature)?.[1]
  const bytes = base64 === undefined ? undefined : decoded(base64)
  return bytes !== undefined && crypto.subtle.verify('HMAC', key, bytes, signed) // compares in constant time
}

type Key = Awaited<ReturnType<typeof keyOf>>

function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? decoded(secret.slice(PREFIX.length)) : undefined
  if (!bytes?.length) throw new WebhookVerificationError(`The secret must begin with ${PREFIX}. Pass all of it.`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined // not base64
  }
}

const bytesOf = (body: Delivery['body']): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

function lowerCased(headers: Delivery['headers']): Map<string, string> {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return new Map(
    pairs.flatMap(([name, value]) => {
      const first = typeof value === 'string' ? value : value?.[0]
      return first === undefined ? [] : [[name.toLowerCase(), first] as const]
    }),
  )
}

function headerOf(headers: ReadonlyMap<string, string>, name: string): string {
  const value = headers.get(name)
  if (value !== undefined) return value
  throw new WebhookVerificationError(`The header ${name} is missing.`)
}
